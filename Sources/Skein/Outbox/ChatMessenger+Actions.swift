#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage

extension ChatMessenger {
  /// Replaces what one's own message says. When this returns, the new content is on disk and in the list, and reaches the
  /// server whatever happens to the app.
  ///
  /// A message that has not left yet goes out as it is now; one that failed is sent so when it is tried again. Of several edits
  /// the last one counts. Should the server refuse it, the message says again what it said, and ``ChatMessage/failure`` why.
  /// An edit calls nobody: those whom the message called when it was sent have heard of it.
  ///
  /// - Throws: ``ChatError`` if the message is unknown, another's or recalled, if the content can't be encoded or names a file
  ///   that the server does not have, or if the server edits no messages; `StorageError` if the disk fails.
  public func edit(_ id: LocalMessageID, to content: some MessageContent) async throws {
    guard content.allAttachments.allSatisfy({ $0.media != nil }) else { throw ChatError.attachmentElsewhere }
    let payload = try preparation.encode(.known(content))
    let (kind, mentions, name) = (type(of: content).kind, content.mentioned.stored, newRevision())
    try await store.write(.powerCut) { try MessageActions($0).edit(id, kind, payload, mentions, as: name) }
  }

  /// Takes one's own message back from everybody: ``RecalledContent`` takes its place, here at once. One that the server can't
  /// have is gone, as by ``cancel(_:)``; one that may be on its way is recalled as soon as the server has it.
  ///
  /// - Throws: ``ChatError`` if the message is unknown, another's or recalled already, or if the server recalls no messages;
  ///   `StorageError` if the disk fails.
  public func recall(_ id: LocalMessageID) async throws {
    let name = newRevision()
    if let gone = try await store.write(.powerCut, { try MessageActions($0).recall(id, as: name) }) {
      preparation.discardCopies(of: gone)
    }
  }

  /// Reacts to a message that the server has, one's own or received. It shows at once, and reaches the server whatever happens
  /// to the app; a reaction that is there already changes nothing.
  ///
  /// - Throws: ``ChatError`` if the message is unknown, not sent or recalled, or if the server keeps no reactions;
  ///   `StorageError` if the disk fails.
  public func addReaction(_ key: ReactionKey, to id: LocalMessageID) async throws {
    let name = newRevision()
    try await store.write(.powerCut) { try MessageActions($0).react(key, to: id, isSet: true, as: name) }
  }

  /// Takes back what this account reacted with, in the same way; one that is not there changes nothing.
  ///
  /// - Throws: what ``addReaction(_:to:)`` throws.
  public func removeReaction(_ key: ReactionKey, from id: LocalMessageID) async throws {
    let name = newRevision()
    try await store.write(.powerCut) { try MessageActions($0).react(key, to: id, isSet: false, as: name) }
  }

  /// Pins a message that the server has, one's own or received, for everybody in the conversation: it is among
  /// ``ChatContext/pinnedMessages`` at once, and reaches the server whatever happens to the app. One that is pinned already
  /// changes nothing.
  ///
  /// - Throws: ``ChatError`` if the message is unknown, not sent or recalled, or if the server pins no messages;
  ///   `StorageError` if the disk fails.
  public func pin(_ id: LocalMessageID) async throws {
    let name = newRevision()
    try await store.write(.powerCut) { try MessageActions($0).pin(id, isSet: true, as: name) }
  }

  /// Takes a message from what is pinned, whoever pinned it, in the same way; one that is not there changes nothing.
  ///
  /// - Throws: what ``pin(_:)`` throws.
  public func unpin(_ id: LocalMessageID) async throws {
    let name = newRevision()
    try await store.write(.powerCut) { try MessageActions($0).pin(id, isSet: false, as: name) }
  }

  private func newRevision() -> RevisionID { RevisionID(rawValue: store.runtime.makeIdentifier()) }
}
