#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage

extension ChatClient {
  /// Closes the client and removes all data of its account from this device. Data on the server stays.
  ///
  /// The server is not informed: the session lasts until the adapter signs out, which should follow. The reference
  /// protocol's sign-out is `HTTPAccounts.signOut`.
  ///
  /// Do not send meanwhile. Files that the engine did not create stay. If a file could not be removed, call this again.
  ///
  /// - Parameter evenUnsent: whether to erase even if something is unsent: waiting, failed and uncertain messages, and
  ///   waiting actions on other messages.
  /// - Throws: ``ChatError`` with `unsentMessages` if something is unsent (nothing is changed), or with
  ///   `notPossibleNow` if another process has the connection (this client is stopped). `CocoaError` if a
  ///   file can't be removed. `StorageError` with `closed` if the app has closed the client, since nothing tells then
  ///   what is unsent; a client that is opened again can be erased.
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
    // The database is removed first, so that the remains of an interrupted erasure reveal nothing.
    for name in [
      "chat.sqlite", "chat.sqlite-wal", "chat.sqlite-shm", "outgoing", "media", "outgoing.lock",
      "installation.json", "lease",
    ] {
      do {
        try FileManager.default.removeItem(at: folder.appending(path: name))
      } catch let error as CocoaError where error.code == .fileNoSuchFile {}
    }
  }

  /// Zero if an erasure that was interrupted has closed the client: it has checked for unsent messages.
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
