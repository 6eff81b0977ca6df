/// Decides who is typing in the chats, as far as that was heard, and when it is worth telling that this account is.
///
/// That somebody types is believed for a while; who goes on says so again before it is over.
struct TypingGate: Sendable {
  /// For how long one word of it is believed.
  static let lasting = Duration.seconds(6)
  /// How often it is told while it goes on.
  static let interval = Duration.seconds(4)

  private var until: [ConversationID: [UserID: Duration]] = [:]
  private var told: [ConversationID: Duration] = [:]

  /// Somebody types, or has stopped.
  mutating func receivedTyping(
    of user: UserID, in conversation: ConversationID, isTyping: Bool, at now: Duration
  ) {
    until[conversation, default: [:]][user] = isTyping ? now + Self.lasting : nil
  }

  /// Who is typing in a chat now, sorted.
  func typing(in conversation: ConversationID, at now: Duration) -> [UserID] {
    let users = (until[conversation] ?? [:]).filter { $0.value > now }.keys
    return users.sorted { $0.rawValue < $1.rawValue }
  }

  /// Forgets what is over.
  ///
  /// - Returns: the chats in which somebody's typing was over since, sorted.
  mutating func passed(at now: Duration) -> [ConversationID] {
    let over = until.filter { $0.value.contains { $0.value <= now } }.keys.sorted()
    for conversation in over {
      let left = (until[conversation] ?? [:]).filter { $0.value > now }
      until[conversation] = left.isEmpty ? nil : left
    }
    return over
  }

  /// When the next one's typing is over, unless they say so again.
  var next: Duration? { until.values.flatMap(\.values).min() }

  /// This account types: whether the others are to be told.
  mutating func typed(in conversation: ConversationID, at now: Duration) -> Bool {
    if let last = told[conversation], now - last < Self.interval { return false }
    told[conversation] = now
    return true
  }

  /// This account has sent what it typed: its next letter is told at once.
  mutating func sent(in conversation: ConversationID) { told[conversation] = nil }
}
