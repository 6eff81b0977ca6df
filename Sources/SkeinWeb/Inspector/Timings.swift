import Skein

/// Counts durations by range.
struct Histogram: Sendable, Equatable {
  /// The upper bounds of the ranges in milliseconds. One more range counts longer durations.
  static let bounds: [Int64] = [3, 10, 30, 100, 300, 1000, 3000, 10_000]
  private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)

  var total: Int { counts.reduce(0, +) }

  mutating func note(_ milliseconds: Int64) {
    counts[Self.bounds.firstIndex { milliseconds < $0 } ?? Self.bounds.count] += 1
  }

  /// Counts the time between two moments. If the difference overflows, the longest duration is counted when
  /// `end` is later, and zero when `start` is later.
  mutating func note(from start: Timestamp, to end: Timestamp) {
    let (time, overflow) = end.rawValue.subtractingReportingOverflow(start.rawValue)
    note(overflow ? (end > start ? .max : 0) : time)
  }

  static func label(_ index: Int) -> String {
    guard index < bounds.count else { return "longer" }
    return bounds[index] < 1000 ? "< \(bounds[index]) ms" : "< \(bounds[index] / 1000) s"
  }
}

/// Measures how long sending, receiving, catching up and drawing take. Sending and receiving are measured by
/// observing the last message of each chat.
struct Timings: Sendable {
  /// From writing a message until the server has it.
  private(set) var sent = Histogram()
  /// From the server's receipt of another user's message until this client has the message.
  private(set) var received = Histogram()
  /// From the first attempt to catch up until the client has caught up.
  private(set) var caughtUp = Histogram()
  /// Making and drawing the cards of one change.
  var drawn = Histogram()

  /// The message that was last observed in each chat, and the time since which the message has waited to be
  /// sent.
  private var last: [ConversationID: (message: LocalMessageID, waitsSince: Timestamp?)] = [:]
  private var fetchesSince: Timestamp?

  /// The state of a chat's last message.
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
    // The first message that is observed in a chat may be old, and is not counted. An older message is not
    // counted either: it becomes the last message when a newer message is deleted.
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
