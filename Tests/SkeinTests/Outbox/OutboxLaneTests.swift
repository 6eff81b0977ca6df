import Testing

@testable import Skein

@Suite("A lane of the outbox")
struct OutboxLaneTests {
  let first = OperationID(rawValue: 1)
  let second = OperationID(rawValue: 2)
  let third = OperationID(rawValue: 3)

  func text(_ operation: OperationID) -> OutboxLane.Entry {
    .init(operation, message: LocalMessageID(rawValue: operation.rawValue))
  }
  func media(_ operation: OperationID) -> OutboxLane.Entry {
    .init(operation, message: LocalMessageID(rawValue: operation.rawValue), isMedia: true, isReady: false)
  }
  func lane(_ policy: LanePolicy, _ entries: OutboxLane.Entry...) -> OutboxLane {
    var lane = OutboxLane(policy)
    for entry in entries { lane.added(entry) }
    return lane
  }

  @Test("Operations are posted one at a time, in their order")
  func order() {
    var lane = OutboxLane()
    #expect(lane.next(at: .zero) == .rest)
    for entry in [second, first, first] { lane.added(text(entry)) }
    #expect(lane.next(at: .zero) == .post(first))
    #expect(lane.next(at: .zero) == .rest)
    lane.ended(first)
    #expect(lane.next(at: .zero) == .post(second))
    lane.ended(second)
    #expect(lane.isEmpty)
  }

  @Test(
    "A message can be posted while the message before it is still in the lane, but an action waits for both")
  func following() {
    var lane = lane(.mediaLane, text(first), text(second), .init(third, target: LocalMessageID(rawValue: 9)))
    #expect(lane.next(at: .zero) == .post(first))
    #expect(lane.following(first, at: .zero, limit: 1) == [second])
    #expect(lane.following(first, at: .zero, limit: 1) == [])
    #expect(lane.next(at: .zero) == .rest)
    lane.ended(first)
    #expect(lane.next(at: .zero) == .rest)
    #expect(lane.following(second, at: .zero, limit: 1) == [])
    lane.ended(second)
    #expect(lane.next(at: .zero) == .post(third))

    var held = self.lane(.mediaLane, text(first), text(second))
    #expect(held.next(at: .zero) == .post(first))
    #expect(held.following(first, at: .zero, limit: 9) == [second])
    held.interrupted(second, at: .zero)
    held.ended(first)
    #expect(held.next(at: .zero) == .post(second))
  }

  @Test("Messages are posted together up to an action, a parked message or the limit")
  func together() {
    let parked = OutboxLane.Entry(
      third, message: LocalMessageID(rawValue: 3), patience: Patience(failures: 9, isParked: true))
    let action = OutboxLane.Entry(third, target: LocalMessageID(rawValue: 9))
    for last in [parked, action] {
      var lane = lane(.mediaLane, text(first), text(second), last)
      #expect(lane.next(at: .zero) == .post(first))
      #expect(lane.following(first, at: .zero, limit: 9) == [second])
      #expect(lane.next(at: .zero) == .rest)
      lane.ended(first)
      #expect(lane.next(at: .zero) == .rest)
      lane.interrupted(second, at: .zero)
      #expect(lane.next(at: .zero) == .post(second))
    }
    var long = lane(.strict, text(first), text(second), text(third))
    #expect(long.next(at: .zero) == .post(first))
    #expect(long.following(first, at: .zero, limit: 1) == [second])
  }

  @Test("A message that the server may have without the one before it is the last of those posted together")
  func mayBeStored() {
    // The text is posted alone while the picture before it is uploaded, and the answer to the text is lost.
    var lane = lane(.mediaLane, media(first), text(second))
    #expect(lane.next(at: .zero) == .post(second))
    #expect(lane.next(at: .zero) == .prepare(first))
    lane.prepared(first)
    lane.interrupted(second, at: .zero)
    lane.added(text(third))
    #expect(lane.next(at: .zero) == .post(first))
    #expect(lane.following(first, at: .zero, limit: 9) == [second])

    // An earlier process has posted the second message.
    var stored = text(second)
    stored.posts = .alone
    var later = self.lane(.mediaLane, text(first), stored, text(third))
    #expect(later.next(at: .zero) == .post(first))
    #expect(later.following(first, at: .zero, limit: 9) == [second])
  }

  @Test("Messages whose answers are missing are posted together again")
  func togetherAgain() {
    var lane = lane(.mediaLane, text(first), text(second), text(third))
    for _ in 1...2 {
      #expect(lane.next(at: .zero) == .post(first))
      #expect(lane.following(first, at: .zero, limit: 9) == [second, third])
      for operation in [first, second, third] { lane.interrupted(operation, at: .zero) }
    }
    // The first message is answered, and the second message is posted without the first.
    lane.removed(first)
    #expect(lane.next(at: .zero) == .post(second))
    #expect(lane.following(second, at: .zero, limit: 9) == [third])
  }

  @Test("Texts are prepared one at a time, in parallel with uploads, and are posted in their order")
  func preparedTexts() {
    func check(_ operation: OperationID) -> OutboxLane.Entry {
      .init(operation, message: LocalMessageID(rawValue: operation.rawValue), isReady: false)
    }
    var lane = lane(.mediaLane, media(first), check(second), check(third))
    #expect(lane.next(at: .zero, mayUpload: false) == .prepare(second))
    #expect(lane.next(at: .zero) == .prepare(first))
    #expect(lane.next(at: .zero) == .rest)
    lane.failed(second, at: .zero, retryAfter: .seconds(3), random: 0)
    #expect(lane.next(at: .zero) == .prepare(third))
    lane.prepared(third)
    // The third text is ready, but waits for the second.
    #expect(lane.next(at: .zero) == .wait(until: .seconds(3)))
    #expect(lane.next(at: .seconds(3)) == .prepare(second))
    lane.prepared(second)
    #expect(lane.next(at: .seconds(3)) == .post(second))
    #expect(
      self.lane(.strict, media(first), check(second)).standing(of: LocalMessageID(rawValue: 2), at: .zero)?
        .place == .blocked(by: LocalMessageID(rawValue: 1)))
  }

  @Test("After a transient failure, an operation keeps its place and blocks those that may not pass it")
  func failure() {
    var lane = lane(.mediaLane, text(first), text(second))
    #expect(lane.next(at: .seconds(10)) == .post(first))
    lane.failed(first, at: .seconds(10), retryAfter: .seconds(3), random: 0)
    #expect(lane.next(at: .seconds(10)) == .wait(until: .seconds(13)))
    #expect(lane.next(at: .seconds(13)) == .post(first))
  }

  @Test("When the connection is back, waiting operations are posted at once")
  func hurry() {
    var lane = lane(.mediaLane, text(first))
    _ = lane.next(at: .zero)
    lane.failed(first, at: .zero, retryAfter: nil, random: .max)
    lane.hurry()
    #expect(lane.next(at: .zero) == .post(first))
    lane.interrupted(first, at: .zero)
    #expect(lane.next(at: .zero) == .post(first))
  }

  @Test("Operations of merged lanes keep their state and are posted in their order")
  func merging() {
    var lane = lane(.mediaLane, text(second))
    var other = self.lane(.mediaLane, text(first), text(third))
    #expect(other.next(at: .zero) == .post(first))
    lane.merge(other)
    #expect(lane.next(at: .zero) == .rest)
    lane.failed(first, at: .zero, retryAfter: .seconds(3), random: 0)
    #expect(lane.next(at: .seconds(3)) == .post(first))
    lane.ended(first)
    #expect(lane.next(at: .seconds(3)) == .post(second))
  }

  @Test("A parked operation waits its full time, even if the connection failed")
  func parkedWithoutConnection() {
    var entry = text(first)
    entry.patience.isParked = true
    var lane = lane(.mediaLane, entry)
    #expect(lane.next(at: .zero) == .post(first))
    lane.interrupted(first, at: .zero)
    #expect(lane.next(at: .zero) == .wait(until: Patience.parkedPause))
  }

  @Test("A stale report about an operation that is not under way changes nothing")
  func staleReport() {
    var lane = lane(.mediaLane, text(first), text(second))
    _ = lane.next(at: .zero)
    let before = lane
    lane.failed(second, at: .zero, retryAfter: nil, random: 0)
    lane.prepared(third)
    lane.ended(third)
    #expect(lane == before)
  }

  @Test("With strict order, uploads begin early, and nothing is posted before earlier operations")
  func strict() {
    var lane = lane(.strict, text(first), media(second), text(third))
    #expect(lane.next(at: .zero) == .post(first))
    #expect(lane.next(at: .zero) == .prepare(second))
    #expect(lane.next(at: .zero) == .rest)
    lane.ended(first)
    #expect(lane.next(at: .zero) == .rest)
    lane.failed(second, at: .zero, retryAfter: .seconds(5), random: 0)
    #expect(lane.next(at: .zero) == .wait(until: .seconds(5)))
    #expect(lane.next(at: .seconds(5)) == .prepare(second))
    lane.prepared(second)
    #expect(lane.next(at: .seconds(5)) == .post(second))
    lane.ended(second)
    #expect(lane.next(at: .seconds(5)) == .post(third))
  }

  @Test("A ready message passes media only until the media is prepared")
  func passing() {
    var lane = lane(.mediaLane, media(first), text(second), text(third))
    #expect(lane.next(at: .zero) == .post(second))
    #expect(lane.next(at: .zero) == .prepare(first))
    lane.ended(second)
    lane.failed(first, at: .zero, retryAfter: .seconds(5), random: 0)
    #expect(lane.next(at: .zero) == .post(third))
    lane.interrupted(third, at: .zero)
    #expect(lane.next(at: .seconds(5), mayUpload: false) == .post(third))
    #expect(lane.next(at: .seconds(5)) == .prepare(first))
    lane.prepared(first)
    lane.interrupted(third, at: .zero)
    #expect(lane.next(at: .seconds(5)) == .post(first))
    #expect(lane.next(at: .seconds(5)) == .rest)
  }

  @Test("Media passes nothing, not even slower media")
  func mediaStays() {
    var lane = lane(.mediaLane, media(first), media(second), text(third))
    #expect(lane.next(at: .zero) == .post(third))
    #expect(lane.next(at: .zero) == .prepare(first))
    lane.interrupted(third, at: .zero)
    lane.failed(first, at: .zero, retryAfter: .seconds(5), random: 0)
    #expect(lane.next(at: .zero) == .post(third))
    #expect(lane.next(at: .zero) == .prepare(second))
    lane.prepared(second)
    lane.ended(third)
    #expect(lane.next(at: .zero) == .wait(until: .seconds(5)))
  }

  @Test("With free order, any ready operation is posted, even while an earlier one waits for a retry")
  func free() {
    var lane = lane(.free, text(first), media(second), text(third))
    #expect(lane.next(at: .zero) == .post(first))
    lane.failed(first, at: .zero, retryAfter: .seconds(5), random: 0)
    #expect(lane.next(at: .zero) == .post(third))
    #expect(lane.next(at: .zero) == .prepare(second))
  }

  @Test("Nothing is posted before the conversation is open, but uploads begin")
  func opening() {
    for policy in [LanePolicy.strict, .mediaLane, .free] {
      var lane = lane(policy, .init(first, isBarrier: true), media(second), text(third))
      #expect(lane.next(at: .zero) == .post(first))
      lane.failed(first, at: .zero, retryAfter: .seconds(5), random: 0)
      #expect(lane.next(at: .zero) == .prepare(second))
      #expect(lane.next(at: .zero) == .wait(until: .seconds(5)))
    }
  }

  @Test("An operation waits for the message that it depends on, even if it may pass that message")
  func dependency() {
    var reply = text(second)
    reply.dependsOn = LocalMessageID(rawValue: 1)
    for policy in [LanePolicy.mediaLane, .free] {
      var lane = lane(policy, media(first), reply)
      #expect(lane.next(at: .zero) == .prepare(first))
      #expect(lane.next(at: .zero) == .rest)
      lane.sent(LocalMessageID(rawValue: 1))
      #expect(lane.next(at: .zero) == .post(second))
    }
  }

  @Test("Actions on one message keep their order behind a parked action, and block no other operations")
  func parkedRevision() {
    let target = LocalMessageID(rawValue: 9)
    var parked = OutboxLane.Entry(first, target: target)
    parked.patience.isParked = true
    var lane = lane(.strict, parked, .init(second, target: target), text(third))
    #expect(lane.next(at: .zero) == .post(first))
    lane.failed(first, at: .zero, retryAfter: nil, random: 0)
    #expect(lane.next(at: .zero) == .post(third))
    lane.ended(third)
    #expect(lane.next(at: .zero) == .wait(until: .seconds(300)))
    #expect(lane.next(at: .seconds(300)) == .post(first))
    lane.ended(first)
    #expect(lane.next(at: .seconds(300)) == .post(second))
  }

  @Test("The lane continues without parked operations")
  func parked() {
    var parked = text(first)
    parked.patience.isParked = true
    var lane = lane(.strict, parked, text(second))
    #expect(lane.next(at: .zero) == .post(first))
    lane.failed(first, at: .zero, retryAfter: .seconds(300), random: 0)
    #expect(lane.next(at: .zero) == .post(second))
    lane.hurry()
    #expect(lane.next(at: .zero) == .wait(until: .seconds(300)))
  }

  @Test("Five failures park a message only if other operations succeed meanwhile")
  func parking() {
    var lane = lane(.mediaLane, text(first), text(second))
    var parked: [Bool] = []
    for attempt in 1...8 {
      let now = Duration.seconds(100 * attempt)
      #expect(lane.next(at: now) == .post(first))
      // No other operation succeeds from the second to the fourth attempt.
      let successes = (2...4).contains(attempt) ? 2 : attempt
      let patience = lane.count(failureOf: first, at: now, blames: true, successes: successes)
      lane.failed(first, at: now, retryAfter: nil, random: 0)
      parked.append(patience?.isParked ?? false)
      if patience?.isParked == true { break }
    }
    #expect(parked == [false, false, false, false, false, false, true])
    #expect(lane.next(at: .seconds(700)) == .post(second))
    lane.hurry()
    lane.ended(second)
    #expect(lane.next(at: .seconds(701)) == .wait(until: .seconds(1000)))
    #expect(lane.next(at: .seconds(1000)) == .post(first))
  }

  @Test("An upload is parked only if its attempts make no progress")
  func advancing() {
    var lane = lane(.strict, media(first))
    for attempt in 1...9 {
      #expect(lane.next(at: .zero) == .prepare(first))
      lane.advanced(first, to: attempt <= 5 ? Double(attempt) / 10 : 0.5)
      let patience = lane.count(failureOf: first, at: .zero, blames: true, successes: attempt)
      #expect(patience?.isParked == (attempt == 9))
      lane.interrupted(first, at: .zero)
    }
  }

  @Test("Only time with a connection counts as time spent on an operation")
  func waited() {
    var lane = lane(.mediaLane, text(first))
    var waited = Duration.zero
    for (now, isCut) in [(0, false), (10, false), (30, true), (500, false), (505, false)] {
      #expect(lane.next(at: .seconds(now)) == .post(first))
      let patience = lane.count(failureOf: first, at: .seconds(now), blames: false, successes: 0)
      waited = patience?.waited ?? .zero
      lane.interrupted(first, at: .zero)
      if isCut { lane.disconnected() }
    }
    #expect(waited == .seconds(35))
  }

  @Test("The time for which the device sleeps does not count as time spent on an operation")
  func slept() {
    var lane = lane(.mediaLane, text(first))
    var waited = Duration.zero
    for now in [0, 10, 90_000] {
      #expect(lane.next(at: .seconds(now)) == .post(first))
      let patience = lane.count(failureOf: first, at: .seconds(now), blames: false, successes: 0)
      waited = patience?.waited ?? .zero
      lane.interrupted(first, at: .zero)
    }
    #expect(waited == .seconds(3610))
  }

  @Test("An operation removed while it is posted keeps its place until the attempt has ended")
  func goneWhilePosted() {
    for end: (inout OutboxLane) -> Void in [
      { $0.failed(self.first, at: .zero, retryAfter: nil, random: 0) },
      { $0.interrupted(self.first, at: .zero) }, { $0.ended(self.first) },
    ] {
      var lane = lane(.free, text(first), text(second))
      #expect(lane.next(at: .zero) == .post(first))
      lane.removed(first)
      #expect(lane.next(at: .zero) == .rest)
      end(&lane)
      #expect(lane.next(at: .zero) == .post(second))
      lane.removed(second)
      #expect(!lane.isEmpty)
      lane.ended(second)
      #expect(lane.isEmpty)
    }
  }

  @Test("An operation removed while it is prepared blocks only the next upload")
  func goneWhilePrepared() {
    var lane = lane(.mediaLane, media(first), media(second), text(third))
    #expect(lane.next(at: .zero) == .post(third))
    #expect(lane.next(at: .zero) == .prepare(first))
    lane.removed(first)
    #expect(lane.next(at: .zero) == .rest)
    lane.interrupted(first, at: .zero)
    #expect(lane.next(at: .zero) == .prepare(second))

    lane = self.lane(.strict, media(first), text(second))
    #expect(lane.next(at: .zero) == .prepare(first))
    #expect(lane.next(at: .zero) == .rest)
    lane.removed(first)
    #expect(lane.next(at: .zero) == .post(second))
  }

  @Test(
    "An operation that depends on a parked message blocks no others as long as the message is parked")
  func waitsForParked() {
    let target = LocalMessageID(rawValue: 9)
    for policy in [LanePolicy.strict, .mediaLane] {
      var waiting = text(first)
      waiting.dependsOn = target
      var lane = lane(policy, waiting, text(second), text(third))
      #expect(lane.next(at: .zero) == .rest)
      lane.stalled([target])
      #expect(lane.next(at: .zero) == .post(second))
      lane.ended(second)
      lane.stalled([])
      #expect(lane.next(at: .zero) == .rest)
      lane.sent(target)
      #expect(lane.next(at: .zero) == .post(first))
    }
  }

  @Test("A restored connection does not shorten a delay that the server requested")
  func retryAfter() {
    var lane = lane(.free, text(first), text(second))
    #expect(lane.next(at: .zero) == .post(first))
    lane.failed(first, at: .zero, retryAfter: .seconds(30), random: 0)
    #expect(lane.next(at: .zero) == .post(second))
    lane.failed(second, at: .zero, retryAfter: nil, random: .max)
    #expect(lane.next(at: .zero) != .post(second))
    lane.hurry()
    #expect(lane.next(at: .zero) == .post(second))
    lane.interrupted(second, at: .zero)
    lane.ended(second)
    #expect(lane.next(at: .zero) == .wait(until: .seconds(30)))
    #expect(lane.next(at: .seconds(30)) == .post(first))
  }
}
