#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage

extension ChatClient {
  /// Closes the client and takes everything of its account off this device. What the server has stays there.
  ///
  /// The server is told nothing: the session goes on until the adapter's own sign-out ends it, which is to follow. That
  /// of the reference protocol is `HTTPAccounts.signOut`.
  ///
  /// Nothing may be sent meanwhile. Files that the engine did not make stay. Where a file could not be taken away, it may be
  /// called again.
  ///
  /// - Parameter evenUnsent: whether that goes as well for what was not sent: messages that wait, that failed, and that may not
  ///   have arrived, and what waits to be done to others.
  /// - Throws: ``ChatError`` with `unsentMessages` where there is some, and everything is as it was; with `notPossibleNow` where
  ///   another process has the connection, and this client is stopped then. `CocoaError` where a file can't be taken away.
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
    await close()
    // The database first: what is left of an erasure that was cut short tells nothing of anybody.
    for name in [
      "chat.sqlite", "chat.sqlite-wal", "chat.sqlite-shm", "outgoing", "media", "outgoing.lock",
      "installation.json", "lease",
    ] {
      do {
        try FileManager.default.removeItem(at: folder.appending(path: name))
      } catch let error as CocoaError where error.code == .fileNoSuchFile {}
    }
  }

  /// Nothing where the client is closed: whoever closed it has been asked.
  private func unsentCount() async throws -> Int {
    let account = account
    do {
      return try await store.read {
        try $0.unsentCount(of: account)
      }
    } catch let error as StorageError where error.code == .closed {
      return 0
    }
  }
}
