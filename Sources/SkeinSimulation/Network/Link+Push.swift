import SkeinModel

extension Link {
  /// Delivers a push: in time, late, twice, with messages missing, or not at all.
  ///
  /// - Parameter showsHoles: Whether the client sees from the positions that messages are missing. If not, only the
  /// oldest messages of a push are removed, and its counts reveal that.
  func push(
    _ batch: SyncBatch?, in process: SimulatedProcess, showsHoles: Bool, _ receive: @escaping BackendReceiver
  ) async throws {
    if ignoresPushes { return }
    let fault = drawFault(
      among: [.pokeLost, .pokeLate, .pokeDoubled] + (batch?.canBeTorn == true ? [.pushTorn] : []))
    if let fault { log.count(fault, during: activity) }
    let event: BackendEvent
    switch fault {
    case .pokeLost: return
    case .pushTorn: event = batch.map { .batch(torn($0, showsHoles: showsHoles)) } ?? .poke
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

  /// Removes messages from a batch, but keeps the last message of each conversation. The batch's counts may
  /// reveal the removal.
  ///
  /// In a first sync, the counts always reveal the removal, since a client treats a count as the number of
  /// existing messages.
  private func torn(_ batch: SyncBatch, showsHoles: Bool) -> SyncBatch {
    var batch = batch
    let isTold = !showsHoles || batch.from == nil || drawn(perMille: 600)
    for index in batch.conversations.indices {
      let whole = batch.conversations[index].messages
      var left = whole.dropLast().filter { _ in drawn(perMille: 500) }
      if !showsHoles { left = whole.dropLast().suffix(left.count) }
      left += whole.suffix(1)
      batch.conversations[index].messages = left
      // A removed message is sent among the revised messages if it was revised. In a first sync, it is sent
      // there only if it has a flag.
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
