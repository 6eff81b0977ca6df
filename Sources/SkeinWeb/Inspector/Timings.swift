import Skein

/// How often something took how long, in ranges that end at three times the one before, or so.
struct Histogram: Sendable, Equatable {
  /// In milliseconds; what takes longer than the last is in one more range.
  static let bounds: [Int64] = [3, 10, 30, 100, 300, 1000, 3000, 10_000]
  private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)

  var total: Int { counts.reduce(0, +) }

  mutating func note(_ milliseconds: Int64) {
    counts[Self.bounds.firstIndex { milliseconds < $0 } ?? Self.bounds.count] += 1
  }

  /// From when to when; a clock that was set back, or that a server made up, counts as no time or as very long.
  mutating func note(from start: Timestamp, to end: Timestamp) {
    let (time, overflow) = end.rawValue.subtractingReportingOverflow(start.rawValue)
    note(overflow ? (end > start ? .max : 0) : time)
  }

  static func label(_ index: Int) -> String {
    guard index < bounds.count else { return "longer" }
    return bounds[index] < 1000 ? "< \(bounds[index]) ms" : "< \(bounds[index] / 1000) s"
  }
}

/// How long things took since the front end was started, told by what it sees of each chat's last message and of catching up.
struct Timings: Sendable {
  /// From when a message of one's own was written until the server has it.
  private(set) var sent = Histogram()
  /// From when the server had a message of another until it was here.
  private(set) var received = Histogram()
  /// From when catching up began until nothing was missing.
  private(set) var caughtUp = Histogram()
  /// What making and drawing the cards of one change took.
  var drawn = Histogram()

  /// What each chat ended with when it was last looked at; since when that waits, where it does.
  private var last: [ConversationID: (message: LocalMessageID, waitsSince: Timestamp?)] = [:]
  private var fetchesSince: Timestamp?

  /// How a message looks that a chat ends with.
  struct Sighting {
    let message: LocalMessageID
    let time: Timestamp
    let isOwn: Bool
    let status: MessageStatus
  }

  mutating func note(_ seen: Sighting, in chat: ConversationID, at now: Timestamp) {
    let known = last[chat]
    if let known, known.message == seen.message {
      guard let since = known.waitsSince, seen.status == .sent else { return }
      sent.note(from: since, to: now)
      last[chat]?.waitsSince = nil
      return
    }
    // What was there when somebody first looked is no news, nor what the end of the chat goes back to when that is deleted.
    if let known, seen.message.rawValue > known.message.rawValue, !seen.isOwn {
      received.note(from: seen.time, to: now)
    }
    last[chat] = (seen.message, seen.isOwn && seen.status.isWaiting ? seen.time : nil)
  }

  mutating func note(_ state: CatchUpState, at now: Timestamp) {
    switch state {
    case .fetching: fetchesSince = fetchesSince ?? now
    case .caughtUp:
      if let since = fetchesSince { caughtUp.note(from: since, to: now) }
      fetchesSince = nil
    case .waiting, .failed: break
    }
  }
}
