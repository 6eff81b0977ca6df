/// Decides who is typing in the chats, and when to report that this account is typing.
///
/// A report that a user types expires after a while, unless it is repeated.
struct TypingGate: Sendable {
  /// How long a report lasts.
  static let lasting = Duration.seconds(6)
  /// The minimum interval between two reports that this account is typing.
  static let interval = Duration.seconds(4)

  private var until: [ConversationID: [UserID: Duration]] = [:]
  private var told: [ConversationID: Duration] = [:]

  /// Records that a user is typing, or has stopped.
  mutating func receivedTyping(
    of user: UserID, in conversation: ConversationID, isTyping: Bool, at now: Duration
  ) {
    until[conversation, default: [:]][user] = isTyping ? now + Self.lasting : nil
  }

  /// The users typing in a chat now, sorted by id.
  func typing(in conversation: ConversationID, at now: Duration) -> [UserID] {
    let users = (until[conversation] ?? [:]).filter { $0.value > now }.keys
    return users.sorted { $0.rawValue < $1.rawValue }
  }

  /// Removes expired reports.
  ///
  /// - Returns: the chats with an expired report, sorted by id.
  mutating func passed(at now: Duration) -> [ConversationID] {
    let over = until.filter { $0.value.contains { $0.value <= now } }.keys.sorted()
    for conversation in over {
      let left = (until[conversation] ?? [:]).filter { $0.value > now }
      until[conversation] = left.isEmpty ? nil : left
    }
    return over
  }

  /// When the next report expires, unless it is repeated.
  var next: Duration? { until.values.flatMap(\.values).min() }

  /// Returns whether to report that this account is typing: at most once per ``interval`` in each chat.
  mutating func typed(in conversation: ConversationID, at now: Duration) -> Bool {
    if let last = told[conversation], now - last < Self.interval { return false }
    told[conversation] = now
    return true
  }

  /// Records that this account has sent a message, so that its next typing is reported at once.
  mutating func sent(in conversation: ConversationID) { told[conversation] = nil }
}
