#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage

extension ChatMessenger {
  /// Replaces the content of one's own message. When this returns, the new content is on disk and in the list.
  /// The next step depends on the state of the message:
  ///
  /// - The edit of a sent message is sent to the server, whatever happens to the app.
  /// - Some waiting messages can't be changed any more or not yet: those that may have reached the server,
  ///   those that wait for uploads or participants, and forwarded copies that were made before their source
  ///   was sent. Their edit is sent once the server is known to have the message.
  /// - Any other waiting message is posted with the new content.
  /// - A failed message keeps the new content until ``retry(_:)``.
  ///
  /// If there are several edits, the last one counts. If the server refuses the edit, the message returns to its
  /// previous content, and ``ChatMessage/failure`` says why. An edit of a posted message notifies nobody: the
  /// mentioned users were notified when the message was posted.
  ///
  /// - Throws: ``ChatError`` if the message is unknown, sent by another user or recalled, or if the content can't
  ///   be encoded or refers to a file that is not on the server. If the edit must be sent to the server, also
  ///   ``ChatError`` if the conversation is closed or the server does not support edits. `StorageError` if the
  ///   disk fails.
  public func edit(_ id: LocalMessageID, to content: some MessageContent) async throws {
    guard content.allAttachments.allSatisfy({ $0.media != nil }) else { throw ChatError.attachmentElsewhere }
    let payload = try preparation.encode(.known(content))
    let (kind, mentions, name) = (type(of: content).kind, content.mentioned.stored, newActionID())
    try await change { try MessageActions($0).edit(id, kind, payload, mentions, as: name) }
  }

  /// Recalls one's own message for everybody: ``RecalledContent`` replaces it, on this device at once.
  ///
  /// A message that can't have reached the server is removed, as by ``cancel(_:)``. A message that may have
  /// reached the server is recalled as soon as the server has it.
  ///
  /// - Throws: ``ChatError`` if the message is unknown, sent by another user or already recalled. If the message
  ///   may have reached the server, also ``ChatError`` if the conversation is closed or the server does not
  ///   support recalls. `StorageError` if the disk fails.
  public func recall(_ id: LocalMessageID) async throws {
    let name = newActionID()
    if let gone = try await store.write(.powerCut, { try MessageActions($0).recall(id, as: name) }) {
      preparation.discardCopies(of: gone)
    }
  }

  /// Reacts to a message that the server has, an own or a received one. The reaction shows at once, and is
  /// sent to the server whatever happens to the app. Adding a reaction that is already set changes nothing.
  ///
  /// - Throws: ``ChatError`` if the message is unknown, not on the server yet or recalled, if its conversation is
  ///   closed, or if the server does not support reactions; `StorageError` if the disk fails.
  public func addReaction(_ key: ReactionKey, to id: LocalMessageID) async throws {
    let name = newActionID()
    try await change { try MessageActions($0).react(key, to: id, isSet: true, as: name) }
  }

  /// Removes a reaction of this account: here at once, later on the server. Removing a reaction that is not set
  /// changes nothing.
  ///
  /// - Throws: the errors of ``addReaction(_:to:)``.
  public func removeReaction(_ key: ReactionKey, from id: LocalMessageID) async throws {
    let name = newActionID()
    try await change { try MessageActions($0).react(key, to: id, isSet: false, as: name) }
  }

  /// Pins a message that the server has, an own or a received one, for everybody in the conversation. The
  /// message is among ``ChatContext/pinnedMessages`` at once, and the pin is sent to the server whatever
  /// happens to the app. A message that is already pinned does not change.
  ///
  /// - Throws: ``ChatError`` if the message is unknown, not on the server yet or recalled, if its conversation is
  ///   closed, or if the server does not support pins; `StorageError` if the disk fails.
  public func pin(_ id: LocalMessageID) async throws {
    try await setFlag(.pin, on: id, to: true)
  }

  /// Unpins a message, no matter who pinned it: here at once, later on the server. A message that is not pinned
  /// does not change.
  ///
  /// - Throws: the errors of ``pin(_:)``.
  public func unpin(_ id: LocalMessageID) async throws {
    try await setFlag(.pin, on: id, to: false)
  }

  /// Stars a message that the server has, an own or a received one, to save it for later. Nobody else sees
  /// the star. The message is among ``ChatClient/starredMessages`` at once. The star is sent to the server,
  /// and from there to the account's other devices, whatever happens to the app. A message that is already
  /// starred does not change.
  ///
  /// - Throws: ``ChatError`` if the message is unknown, not on the server yet or recalled, if its conversation is
  ///   closed, or if the server does not support stars; `StorageError` if the disk fails.
  public func star(_ id: LocalMessageID) async throws {
    try await setFlag(.star, on: id, to: true)
  }

  /// Removes this account's star: here at once, later on the server. A message that is not starred does not change.
  ///
  /// - Throws: the errors of ``star(_:)``.
  public func unstar(_ id: LocalMessageID) async throws {
    try await setFlag(.star, on: id, to: false)
  }

  /// Sets or removes a flag on a message that the server has. Nothing changes if the flag already is as
  /// requested.
  ///
  /// - Throws: the errors of ``pin(_:)`` or, for a star, of ``star(_:)``.
  package func setFlag(_ flag: MessageFlag, on id: LocalMessageID, to isSet: Bool) async throws {
    let name = newActionID()
    try await change { try MessageActions($0).flag(id, with: flag, isSet: isSet, as: name) }
  }

  private func newActionID() -> ActionID { ActionID(rawValue: store.runtime.makeIdentifier()) }
}
