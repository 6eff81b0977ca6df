import SkeinStorage

/// Decides which attempts survive a power cut.
///
/// A server that knows message ids for ever answers a repeated message with the same receipt. So a power cut may lose
/// the start of an attempt and its receipt: the message is posted again. The waiting messages must then count as
/// possibly posted, or their content could change and they could be canceled. The database therefore names the boot
/// of the machine in which attempts are not synchronized (``AccountRow/unsyncedBoot``), and the first start in another
/// boot doubts all attempts. One case stays open: if the account has left the conversation by then, the server does not
/// answer with the receipt, and the message becomes ``MessageStatus/uncertain``.
///
/// Everything else is synchronized: messages with attachments, actions, the ends that participants are told, and all
/// attempts on a server that knows ids for a while only, or not at all.
extension Outbox {
  /// Stores the starts or receipts of attempts.
  func writeAttempts<Result: Sendable>(
    of operations: [OperationID], body: @Sendable (UnitOfWork) throws -> Result
  ) async throws -> Result {
    guard let boot = runtime.boot, operations.allSatisfy(mayBeLost) else {
      return try await store.write(.powerCut, body)
    }
    // Lanes that begin at the same time share the transaction of the note.
    let noting =
      noting
      ?? runtime.spawn { [store] in
        try await store.write(.powerCut) { $0.account.unsyncedBoot = boot }
      }
    self.noting = noting
    let isNoted = await noting.result
    // Another lane may have removed the note meanwhile, because the connection is lost.
    if case .success = isNoted,
      let result = try await store.write(.kill, { $0.account.unsyncedBoot == boot ? try body($0) : nil })
    {
      return result
    }
    if self.noting == noting { self.noting = nil }
    try isNoted.get()
    return try await store.write(.powerCut, body)
  }

  private func mayBeLost(_ operation: OperationID) -> Bool {
    backend.capabilities.idempotency == .forever && store.participants.isEmpty && lanes.postsText(operation)
  }

  /// Makes a change before a time without attempts, and removes the note of attempts that are not synchronized.
  ///
  /// A power cut loses the last transactions first. If this one is left, all attempts before it are left.
  func storeBeforePause(_ body: @Sendable (UnitOfWork) throws -> Void) async throws {
    noting = nil
    try await store.write(.kill) { work in
      work.account.unsyncedBoot = nil
      try body(work)
    }
  }
}
