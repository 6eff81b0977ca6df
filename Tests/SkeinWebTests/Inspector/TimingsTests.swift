import Skein
import Testing

@testable import SkeinWeb

@Suite("Timings")
struct TimingsTests {
  private let chat = ConversationID(rawValue: 1)
  private func at(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

  private func seen(
    _ message: Int64, time: Int64, own: Bool = true, _ status: MessageStatus = .sent
  ) -> Timings.Sighting {
    Timings.Sighting(
      message: LocalMessageID(rawValue: message), time: at(time), isOwn: own, status: status)
  }

  @Test("A message is timed once, from writing until it is sent")
  func sent() {
    var timings = Timings()
    timings.note(seen(1, time: 1000, .queued), in: chat, at: at(1001))
    timings.note(seen(1, time: 1000, .sending), in: chat, at: at(1010))
    #expect(timings.sent.total == 0)
    timings.note(seen(1, time: 1040), in: chat, at: at(1050))
    timings.note(seen(1, time: 1040), in: chat, at: at(9000))
    #expect(timings.sent.counts == [0, 0, 0, 1, 0, 0, 0, 0, 0])
    #expect(timings.received.total == 0)
  }

  @Test("A received message is timed only if it is new")
  func received() {
    var timings = Timings()
    timings.note(seen(1, time: 10, own: false), in: chat, at: at(1_000_000))
    #expect(timings.received.total == 0)
    timings.note(seen(2, time: 1_000_000, own: false), in: chat, at: at(1_000_002))
    timings.note(seen(3, time: 1_000_000, own: false), in: chat, at: at(1_600_000))
    #expect(timings.received.counts == [1, 0, 0, 0, 0, 0, 0, 0, 1])
    // The last message is deleted on this device: the message before it is not new.
    timings.note(seen(2, time: 1_000_000, own: false), in: chat, at: at(2_000_000))
    #expect(timings.received.total == 2)
  }

  @Test("Catching up is timed from its first attempt to its end")
  func caughtUp() {
    var timings = Timings()
    timings.note(.caughtUp, at: at(0))
    timings.note(.fetching, at: at(0))
    timings.note(.failed(reason: FailureReason(.transient, "The server is busy.")), at: at(50))
    timings.note(.fetching, at: at(400))
    timings.note(.caughtUp, at: at(500))
    #expect(timings.caughtUp.counts == [0, 0, 0, 0, 0, 1, 0, 0, 0])
  }

  @Test("A received message is timed even if the duration overflows", arguments: [Int64.min, .max])
  func madeUp(time: Int64) {
    var timings = Timings()
    timings.note(seen(1, time: 0, own: false), in: chat, at: at(0))
    timings.note(seen(2, time: time, own: false), in: chat, at: at(0))
    #expect(timings.received.total == 1)
  }
}
