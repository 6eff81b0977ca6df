import Skein
import SkeinCards
import Testing

@Suite("Wording of a message's sending state")
struct SendStandingTests {
  private let now = Timestamp(milliseconds: 1_000_000)

  private func text(_ state: SendState, nextTry: Int64? = nil, blocker: MessageKind? = nil) -> String? {
    let moment = nextTry.map { Timestamp(milliseconds: now.rawValue + $0) }
    return SendStanding(state, nextTry: moment, kindOf: { _ in blocker })?.text(at: now)
  }

  @Test("The text names the reason for waiting and the time of the next attempt")
  func waiting() {
    #expect(text(.waitingForConnection, nextTry: 3_200) == "no connection, next try in 4 s")
    #expect(text(.waitingForConnection, nextTry: 1) == "no connection, next try in 1 s")
    #expect(text(.waitingForConnection, nextTry: 0) == "no connection, trying again")
    #expect(text(.waitingForConnection) == "no connection, trying again")
    let busy = SendState.waiting(
      until: Timestamp(milliseconds: now.rawValue + 180_000),
      reason: FailureReason(.rateLimited, "The server is busy."))
    #expect(text(busy) == "next try in 3 min: The server is busy.")
    let parked = SendState.parked(reason: FailureReason(.transient, "The server failed."))
    #expect(text(parked) == "parked: The server failed.")
  }

  @Test("The text names the blocking message and the progress of an upload")
  func moving() {
    let other = LocalMessageID(rawValue: 7)
    #expect(text(.blocked(by: other), blocker: "video") == "behind a video")
    #expect(text(.blocked(by: other), blocker: "com.example.poll") == "behind a message")
    #expect(text(.blocked(by: other)) == "behind a message")
    #expect(text(.preparing(fraction: 0.429)) == "↑ 42 %")
    #expect(text(.preparing(fraction: 1)) == "↑ 100 %")
    #expect(text(.queued) == "waits for its turn")
  }

  @Test("A message that is sent, failed, uncertain or cancelled has no text")
  func ends() {
    let failure = SendFailure(.refused, "No.")
    for state in [SendState.sent, .failed(failure), .uncertain(failure), .cancelled] {
      #expect(text(state) == nil)
    }
  }
}
