import SkeinStorage

/// Decides which starts and receipts of attempts survive a power cut.
///
/// A server that recognizes message ids forever answers a repeated message with the same receipt. If a power
/// cut loses the start and the receipt of an attempt, the message can therefore be posted again. But the user
/// must not edit or cancel the waiting message as if it had not been posted. Before the first attempt that is
/// not synchronized to the disk, the outbox therefore notes the current boot of the machine
/// (``AccountRow/unsyncedBoot``). The first client that opens the database in another boot marks the outcomes
/// of all operations that post messages as unknown. A message stays open, as
/// ``MessageStatus/uncertain``, if it can't be posted again: its conversation was closed or can't be opened, or the
/// server refuses the repetition.
///
/// Starts and receipts are synchronized in each of these cases:
///
/// - The message has attachments.
/// - The operation posts no message.
/// - The app has participants, since these are told the final states of messages.
/// - The server recognizes message ids for a limited time, or not at all.
/// - The boot of the machine is unknown.
extension Outbox {
  /// Stores the starts or receipts of attempts, of several lanes in one transaction if they come together.
  func writeAttempts<Result: Sendable>(
    of operations: [OperationID], body: @escaping @Sendable (UnitOfWork) throws -> Result
  ) async throws -> Result {
    guard let boot = runtime.boot, operations.allSatisfy(mayBeLost) else {
      return try await transactions.write(.powerCut, body)
    }
    // Lanes that begin at the same time share the transaction that stores the note.
    let noting =
      noting
      ?? runtime.spawn { [store] in
        try await store.write(.powerCut) { $0.account.unsyncedBoot = boot }
      }
    self.noting = noting
    let isNoted = await noting.result
    // Another lane may have removed the note meanwhile, because the connection is lost.
    if case .success = isNoted,
      let result = try await transactions.write(
        .kill, { $0.account.unsyncedBoot == boot ? try body($0) : nil })
    {
      return result
    }
    if self.noting == noting { self.noting = nil }
    try isNoted.get()
    return try await transactions.write(.powerCut, body)
  }

  private func mayBeLost(_ operation: OperationID) -> Bool {
    backend.capabilities.idempotency == .forever && store.participants.isEmpty && lanes.postsText(operation)
  }

  /// Makes a change before a pause without attempts, and removes the note of attempts that are not
  /// synchronized.
  ///
  /// A power cut loses the latest transactions first. If this transaction survives, all earlier attempts
  /// survive too.
  func storeBeforePause(_ body: @Sendable (UnitOfWork) throws -> Void) async throws {
    noting = nil
    try await store.write(.kill) { work in
      work.account.unsyncedBoot = nil
      try body(work)
    }
  }
}
