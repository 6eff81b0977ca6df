extension [IncomingMessage] {
  /// The messages in the order of their positions, each once and in its latest state. The contract requires this order
  /// of every answer; in another order, the first message and the number of messages would hide a gap.
  ///
  /// Messages without positions stay as they are.
  var inOrder: Self {
    let positions = compactMap(\.position)
    guard positions.count == count, !zip(positions, positions.dropFirst()).allSatisfy({ $0 < $1 }) else {
      return self
    }
    var latest: [Position: IncomingMessage] = [:]
    for (position, message) in zip(positions, self)
    where latest[position]?.revision ?? .min <= message.revision {
      latest[position] = message
    }
    return latest.sorted { $0.key < $1.key }.map(\.value)
  }
}
