#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage

extension ChatClient {
  /// Closes the client and takes everything of its account off this device, as a sign-out does that leaves nothing behind. What
  /// the server has stays there.
  ///
  /// Nothing else may use the folder then, and nothing may be sent meanwhile. Files that the engine did not make stay.
  ///
  /// - Parameter evenUnsent: whether that goes for messages as well that were not sent: those that wait, that failed, and that
  ///   may not have arrived.
  /// - Throws: ``ChatError``, with `unsentMessages` where there are some, and with `notPossibleNow` while another process has
  ///   the connection; everything is as it was then. `CocoaError` where a file can't be taken away.
  public func erase(evenUnsent: Bool = false) async throws {
    if connectionState == .elsewhere {
      throw ChatError(.notPossibleNow, "Another process works with this account's messages.")
    }
    let unsent = evenUnsent ? 0 : try await unsentMessageCount()
    guard unsent == 0 else {
      throw ChatError(
        .unsentMessages,
        "\(unsent) \(unsent == 1 ? "message was" : "messages were") not sent and would be lost.")
    }
    await close()
    let folder = store.runtime.directory
    // The database first: what is left of an erasure that was cut short tells nothing of anybody.
    for name in [
      "chat.sqlite", "chat.sqlite-wal", "chat.sqlite-shm", "outgoing", "media", "outgoing.lock",
      "installation.json",
      "lease",
    ] {
      do {
        try FileManager.default.removeItem(at: folder.appending(path: name))
      } catch let error as CocoaError where error.code == .fileNoSuchFile {}
    }
  }

  private func unsentMessageCount() async throws -> Int {
    let account = account
    return try await store.read {
      try $0.scalar(
        Int.self, "SELECT count(*) FROM message WHERE sender = ? AND status <> ? AND is_hidden = 0", account,
        MessageStatus.sent) ?? 0
    }
  }
}
