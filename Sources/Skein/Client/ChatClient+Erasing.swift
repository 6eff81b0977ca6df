#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage

extension ChatClient {
  /// Closes the client and removes all data of its account from this device. Data on the server stays.
  ///
  /// The server is not informed, and the session continues: sign out with the adapter afterwards. For the
  /// reference protocol, call `HTTPAccounts.signOut`.
  ///
  /// Do not send messages during the call. Files that the engine did not create stay. If a file could not be
  /// removed, call this method again.
  ///
  /// - Parameter evenUnsent: whether to erase even if something is unsent: a waiting, failed or uncertain message, an
  ///   action that waits for the server, or the leaving of a group.
  /// - Throws: ``ChatError`` with `unsentMessages` if something is unsent; nothing is changed. ``ChatError``
  ///   with `notPossibleNow` if another process has the connection; this client is then stopped. `CocoaError`
  ///   if a file can't be removed. `StorageError` with `closed` if the app has closed the client and
  ///   `evenUnsent` is false: a closed database can't be checked for unsent messages. In this case, open a
  ///   new client and call this method on the new client.
  public func erase(evenUnsent: Bool = false) async throws {
    let unsent = evenUnsent ? 0 : try await unsentCount()
    guard unsent == 0 else {
      let subject = unsent == 1 ? "1 message or change was" : "\(unsent) messages or changes were"
      throw ChatError(.unsentMessages, "\(subject) not sent and would be lost.")
    }
    await stop()
    let folder = store.runtime.directory
    guard let lock = try FileLock.acquire(.exclusive, on: folder.appending(path: "lease")) else {
      throw ChatError(.notPossibleNow, "Another process works with this account's messages.")
    }
    defer { lock.release() }
    beginErasing()
    await close()
    // The database is removed first, so that the files left by an interrupted erasure contain no message texts.
    for name in [
      "chat.sqlite", "chat.sqlite-wal", "chat.sqlite-shm", "outgoing", "media", "outgoing.lock",
      "installation.json", "lease",
    ] {
      do {
        try store.runtime.gate?("FILE REMOVE")
        try FileManager.default.removeItem(at: folder.appending(path: name))
      } catch let error as CocoaError where error.code == .fileNoSuchFile {}
    }
  }

  /// The number of unsent messages, waiting actions and waiting leavings of groups. Zero if an earlier
  /// erasure has closed the client: that erasure found nothing unsent, or its `evenUnsent` was true.
  private func unsentCount() async throws -> Int {
    let account = account
    do {
      return try await store.read {
        try $0.unsentCount(of: account)
      }
    } catch let error as StorageError where error.code == .closed && isErasing {
      return 0
    }
  }
}
