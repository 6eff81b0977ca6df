/// Decides who is typing in the chats, and when to report that this account is typing.
///
/// A user counts as typing for ``lasting`` after the last report.
struct TypingGate: Sendable {
  /// How long a user counts as typing after a report.
  static let lasting = Duration.seconds(6)
  /// The minimum interval between two reports that this account is typing.
  static let interval = Duration.seconds(4)

  private var until: [ConversationID: [UserID: Duration]] = [:]
  private var told: [ConversationID: Duration] = [:]

  /// Records that a user is typing, or has stopped typing.
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

  /// The uptime at which the next report expires; nil if there is no report.
  var next: Duration? { until.values.flatMap(\.values).min() }

  /// Returns whether to report that this account is typing. True at most once per ``interval`` in each chat,
  /// and again after ``sent(in:)``.
  mutating func typed(in conversation: ConversationID, at now: Duration) -> Bool {
    if let last = told[conversation], now - last < Self.interval { return false }
    told[conversation] = now
    return true
  }

  /// Records that this account has sent a message. The next typing in the chat is then reported at once.
  mutating func sent(in conversation: ConversationID) { told[conversation] = nil }
}
