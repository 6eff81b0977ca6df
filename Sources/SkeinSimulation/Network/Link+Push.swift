import SkeinModel

extension Link {
  /// Delivers a push: in time, late, twice, with messages missing, or not at all.
  func push(_ batch: SyncBatch?, in process: SimulatedProcess, _ receive: @escaping BackendReceiver)
    async throws
  {
    if ignoresPushes { return }
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

  /// Removes messages from a batch, but not the last of each conversation; the batch's counts may reveal the removal.
  ///
  /// The counts of a first sync always reveal it, since a client treats them as the number of existing messages.
  private func torn(_ batch: SyncBatch) -> SyncBatch {
    var batch = batch
    let isTold = batch.from == nil || drawn(perMille: 600)
    for index in batch.conversations.indices {
      let whole = batch.conversations[index].messages
      var left = whole.dropLast().filter { _ in drawn(perMille: 500) }
      left += whole.suffix(1)
      batch.conversations[index].messages = left
      // A removed message that was revised is sent among the revised messages. In a first sync, only a flagged one
      // is.
      batch.conversations[index].revised += whole.filter { message in
        !left.contains(message) && (batch.from == nil ? !message.flags.isEmpty : message.revision > 0)
      }
      if !isTold { batch.conversations[index].count = left.count }
    }
    return batch
  }
}

extension SyncBatch {
  fileprivate var canBeTorn: Bool { conversations.contains { $0.messages.count > 1 } }
}
