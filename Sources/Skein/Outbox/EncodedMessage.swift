#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage

/// The stored form of a message before it has a row, or where it is sent again.
struct EncodedMessage: Sendable {
  let messageID: MessageID
  var kind: MessageKind
  var payload: Data
  var parameters: Data?
  /// Its mentions, as they are stored.
  var mentions: Data? = nil
  let needsPreparation: Bool
  /// Whether it has attachments: others may pass it while they are being uploaded.
  var isMedia = false
  /// Whether the content is that of the message it depends on, once that is sent.
  var takesContent = false
  /// Why it is stored as failed, and not to be posted.
  var rejection: SendFailure?
  /// Protects the copies of its files until the message is stored.
  var copying: FileLock?
}
