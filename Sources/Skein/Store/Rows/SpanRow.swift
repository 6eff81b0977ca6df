import SkeinStorage

/// The stored form of a conversation's span.
struct SpanRow: Mapped, Equatable {
  let conversation: ConversationID
  let lower: Rank
  let upper: Rank
  let reachesStart: Bool
  let lowerToken: HistoryToken?
  let unreadBelow: Int?
  let upperToken: HistoryToken?

  static let table = Table(
    "span", key: ["conversation", "lower"], clusteredBy: ["conversation", "lower"],
    Self.init, Column("conversation", \.conversation), Column("lower", \.lower), Column("upper", \.upper),
    Column("reaches_start", \.reachesStart), Column("lower_token", \.lowerToken),
    Column("unread_below", \.unreadBelow), Column("upper_token", \.upperToken))

  init(
    conversation: ConversationID, lower: Rank, upper: Rank, reachesStart: Bool, lowerToken: HistoryToken?,
    unreadBelow: Int?, upperToken: HistoryToken?
  ) {
    self.conversation = conversation
    self.lower = lower
    self.upper = upper
    self.reachesStart = reachesStart
    self.lowerToken = lowerToken
    self.unreadBelow = unreadBelow
    self.upperToken = upperToken
  }

  init(_ conversation: ConversationID, _ span: Span) {
    self.init(
      conversation: conversation, lower: span.lower, upper: span.upper, reachesStart: span.reachesStart,
      lowerToken: span.lowerToken, unreadBelow: span.unreadBelow, upperToken: span.upperToken)
  }

  var span: Span {
    Span(
      lower: lower, upper: upper, reachesStart: reachesStart, lowerToken: lowerToken,
      unreadBelow: unreadBelow, upperToken: upperToken)
  }
}
