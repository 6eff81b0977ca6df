/// A message's place in its conversation: by rank, then by local id.
struct MessageOrder: Sendable, Hashable, Comparable {
  let rank: Rank
  let id: LocalMessageID

  static let lowest = MessageOrder(rank: .lowest, id: LocalMessageID(rawValue: .min))
  static let highest = MessageOrder(rank: .highest, id: LocalMessageID(rawValue: .max))

  static func < (left: Self, right: Self) -> Bool { (left.rank, left.id) < (right.rank, right.id) }
}

extension MessageOrder {
  /// The place of a gap: just below the first message above the gap.
  init(ofGapBelow rank: Rank) { self.init(rank: rank, id: LocalMessageID(rawValue: -1)) }
  /// The place between a gap and the first message above the gap.
  init(above gap: Rank) { self.init(rank: gap, id: LocalMessageID(rawValue: 0)) }
}

extension MessageRow {
  var order: MessageOrder { MessageOrder(rank: rank, id: id) }
}

extension ChatMessage {
  var order: MessageOrder { MessageOrder(rank: rank, id: id) }
}

extension LocalMessageID {
  var next: LocalMessageID { LocalMessageID(rawValue: rawValue == .max ? .max : rawValue + 1) }
}
