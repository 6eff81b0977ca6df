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
  /// The mentions, encoded for storage.
  var mentions: Data? = nil
  let needsPreparation: Bool
  /// Whether the message has attachments. Other messages may pass it while its attachments are uploaded.
  var isMedia = false
  /// Whether the message is a copy that gets the content of its source once the source is sent.
  var takesContent = false
  /// The reason why the message is stored as failed instead of being posted; nil if it may be posted.
  var rejection: SendFailure?
  /// The lock that protects the copied files until the message is stored; nil if no lock is needed, or if the
  /// lock could not be acquired.
  var copying: FileLock?
}
