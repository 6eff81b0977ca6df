#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage

/// The stored form of a message that has no row yet, or that is sent again.
struct EncodedMessage: Sendable {
  let messageID: MessageID
  var kind: MessageKind
  var payload: Data
  var parameters: Data?
  /// Its mentions, encoded for storage.
  var mentions: Data? = nil
  let needsPreparation: Bool
  /// Whether it has attachments. Other messages may pass it while its attachments are uploaded.
  var isMedia = false
  /// Whether it gets the content of the message that it depends on, once that message is sent.
  var takesContent = false
  /// Why it is stored as failed instead of being posted.
  var rejection: SendFailure?
  /// Protects the copies of its files until the message is stored.
  var copying: FileLock?
}
