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
  /// A started client of another process on this folder closes itself within a second. One that is not started can change
  /// nothing any more: methods that store something throw ``ChatError`` with `dataErased`. It may still read the messages
  /// that it had open, and leave files behind that it fetches or copies later. If the app has closed this client before, the
  /// others are not told.
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
    guard let lock = try FileLock.acquire(.exclusive, on: ChatStore.leaseFile(of: store.runtime)) else {
      throw ChatError(.notPossibleNow, "Another process works with this account's messages.")
    }
    defer { lock.release() }
    beginErasing()
    await store.noteErasure()
    await close()
    try ChatStore.removeFiles(store.runtime)
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
