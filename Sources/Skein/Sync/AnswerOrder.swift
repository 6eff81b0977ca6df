extension [IncomingMessage] {
  /// The messages in the order of their positions, each once and in its latest state. The contract requires this order
  /// of every answer; in another order, the first message and the number of messages would hide a gap.
  ///
  /// Messages without positions keep their order. A message that is repeated counts where it is first.
  var inOrder: Self {
    let positions = compactMap(\.position)
    guard positions.count == count else { return withoutRepetitions }
    guard !zip(positions, positions.dropFirst()).allSatisfy({ $0 < $1 }) else { return self }
    let ordered = sorted {
      ($0.position?.rawValue ?? 0, $0.serverID?.rawValue ?? "", $0.revision)
        < ($1.position?.rawValue ?? 0, $1.serverID?.rawValue ?? "", $1.revision)
    }
    // Two messages with one position are both kept.
    let isRepeated = zip(ordered, ordered.dropFirst()).map {
      $0.position == $1.position && $0.serverID == $1.serverID
    }
    return zip(ordered, isRepeated + [false]).filter { !$1 }.map { $0.0 }
  }

  private var withoutRepetitions: Self {
    var known: Set<ServerMessageID> = []
    return filter { message in message.serverID.map { known.insert($0).inserted } ?? true }
  }
}
