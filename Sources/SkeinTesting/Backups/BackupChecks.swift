import SkeinModel

extension BackendCheck {
  /// Servers that are restored from a backup.
  static let backups: [BackendCheck] = [
    BackendCheck(
      .backups, "A server restored from a backup names a new epoch and rejects older cursors",
      needs: [.restoring],
      newEpoch),
    BackendCheck(
      .backups,
      "A restored server has the messages of the backup, and stores lost messages that are sent again",
      needs: [.restoring], lostMessages),
  ]

  private static func newEpoch(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    try await alice.send(2, in: chat)
    try await stage.saveBackup()
    try await alice.send(1, in: chat)
    let before = try await bob.catchUp()
    try await stage.restoreBackup()
    // Alice now sends more messages than the server has lost. So the old cursor is not ahead of the restored
    // server.
    try await alice.send(3, in: chat)
    let error = try await stage.error(of: "A sync from a cursor of the earlier epoch") {
      _ = try await bob.sync(since: before.cursor)
    }
    try expect(error.code, is: .cursorRejected, "The code of the refusal")
    let after = try await bob.catchUp()
    let epochs = (before.batches.last?.epoch, after.batches.last?.epoch)
    try expect(epochs.1 != nil && epochs.0 != epochs.1, "The batches name no new epoch.")
    try expect(after.messages(in: chat).count, is: 5, "The number of messages of the new epoch")
  }

  private static func lostMessages(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let kept = try await alice.send(2, in: chat)
    let before = try await bob.history(of: chat)
    try await stage.saveBackup()
    let lost = try await alice.send(2, in: chat)
    try await stage.restoreBackup()
    try expect(try await bob.history(of: chat).map(\.serverID), is: before.map(\.serverID), "The server ids")
    for message in lost { try await alice.send(message) }
    let texts = try await bob.history(of: chat).texts
    try expect(bob.ordered(texts), is: bob.ordered((kept + lost).texts), "The messages of the history")
  }
}
