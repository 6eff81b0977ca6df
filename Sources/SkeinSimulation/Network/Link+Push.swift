import SkeinModel

extension Link {
  /// Brings a push down: not at all, late, twice, or with messages missing.
  func push(_ batch: SyncBatch?, in process: SimulatedProcess, _ receive: @escaping BackendReceiver)
    async throws
  {
    if isDeaf { return }
    let fault = drawFault(
      among: [.pokeLost, .pokeLate, .pokeDoubled] + (batch?.canBeTorn == true ? [.pushTorn] : []))
    if let fault { log.count(fault, during: activity) }
    let event: BackendEvent
    switch fault {
    case .pokeLost: return
    case .pushTorn: event = batch.map { .batch(torn($0)) } ?? .poke
    default: event = batch.map { .batch($0) } ?? .poke
    }
    if fault == .pokeLate {
      try await pause(.seconds(3), .seconds(90), process)
    } else {
      try await pause(.milliseconds(1), .seconds(3), process)
    }
    await receive(event)
    if fault == .pokeDoubled { await receive(event) }
  }

  /// Takes messages out of a batch, but for the last of each conversation; its counts say so, or they don't.
  ///
  /// What a first sync does not hold, the server does not have: there the counts are right.
  private func torn(_ batch: SyncBatch) -> SyncBatch {
    var batch = batch
    let isTold = batch.from == nil || drawn(perMille: 600)
    for index in batch.conversations.indices {
      let whole = batch.conversations[index].messages
      var left = whole.dropLast().filter { _ in drawn(perMille: 500) }
      left += whole.suffix(1)
      batch.conversations[index].messages = left
      // A server hands over beside them what was done to those that it leaves out; to a first sync, what is pinned.
      batch.conversations[index].revised += whole.filter { message in
        !left.contains(message) && (batch.from == nil ? message.pinned != nil : message.revision > 0)
      }
      if !isTold { batch.conversations[index].count = left.count }
    }
    return batch
  }
}

extension SyncBatch {
  fileprivate var canBeTorn: Bool { conversations.contains { $0.messages.count > 1 } }
}
