#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage

extension ChatMessenger {
  /// Replaces the content of a message of this account. When this returns, the new content is on disk and in
  /// the list. The next step depends on the state of the message:
  ///
  /// - The edit of a sent message is sent to the server, whatever happens to the app.
  /// - The edit of an uncertain message is sent once the server is known to have the message. The same is
  ///   true for a waiting message that may have reached the server, that waits for uploads or participants,
  ///   or that was forwarded before its source was sent.
  /// - Any other waiting message is posted with the new content.
  /// - A failed message gets the new content, which ``retry(_:)`` sends.
  ///
  /// If there are several edits, the last edit determines the content. If the server refuses the edit, the
  /// message returns to its previous content, and ``ChatMessage/failure`` states the reason. An edit of a
  /// posted message notifies nobody: mentioned users are notified only when a message is posted.
  ///
  /// - Throws: ``ChatError`` if the message is unknown, sent by another user or recalled. Also ``ChatError``
  ///   if the content can't be encoded, is too large, or refers to a file that is not on the server. If the edit must be
  ///   sent to the server, also ``ChatError`` if the conversation is closed or the server does not support
  ///   edits. `StorageError` if the disk fails.
  public func edit(_ id: LocalMessageID, to content: some MessageContent) async throws {
    guard content.allAttachments.allSatisfy({ $0.media != nil }) else { throw ChatError.attachmentElsewhere }
    let payload = try preparation.encode(.known(content))
    try preparation.checkSize(of: payload)
    let (kind, mentions, name) = (type(of: content).kind, content.mentioned.stored, newActionID())
    try await change { try MessageActions($0).edit(id, kind, payload, mentions, as: name) }
  }

  /// Recalls a message of this account for everybody. ``RecalledContent`` replaces the message's content, on
  /// this device at once.
  ///
  /// A message that can't have reached the server is removed, as by ``cancel(_:)``. A message that may have
  /// reached the server is recalled once the server is known to have the message, and is removed if the running attempt
  /// shows that it did not arrive.
  ///
  /// - Throws: ``ChatError`` if the message is unknown, sent by another user or already recalled. If the message
  ///   may have reached the server, also ``ChatError`` if the conversation is closed or the server does not
  ///   support recalls. `StorageError` if the disk fails.
  public func recall(_ id: LocalMessageID) async throws {
    let name = newActionID()
    if let gone = try await change({ try MessageActions($0).recall(id, as: name) }) {
      await preparation.discardCopies(of: gone)
    }
  }

  /// Adds a reaction of this account to a message that the server has, whoever sent the message. The reaction
  /// is shown at once, and is sent to the server whatever happens to the app. Adding a reaction that is
  /// already set changes nothing.
  ///
  /// - Throws: ``ChatError`` if the message is unknown, not on the server yet or recalled, if its conversation is
  ///   closed, or if the server does not support reactions; `StorageError` if the disk fails.
  public func addReaction(_ key: ReactionKey, to id: LocalMessageID) async throws {
    let name = newActionID()
    try await change { try MessageActions($0).react(key, to: id, isSet: true, as: name) }
  }

  /// Removes a reaction of this account, on this device at once and on the server later. Removing a reaction
  /// that is not set changes nothing.
  ///
  /// - Throws: the errors of ``addReaction(_:to:)``.
  public func removeReaction(_ key: ReactionKey, from id: LocalMessageID) async throws {
    let name = newActionID()
    try await change { try MessageActions($0).react(key, to: id, isSet: false, as: name) }
  }

  /// Pins a message for everybody in the conversation. The server must have the message; any user may have
  /// sent it. The message is among ``ChatContext/pinnedMessages`` at once, and the pin is sent to the server
  /// whatever happens to the app. A message that is already pinned does not change.
  ///
  /// - Throws: ``ChatError`` if the message is unknown, not on the server yet or recalled, if its conversation is
  ///   closed, or if the server does not support pins; `StorageError` if the disk fails.
  public func pin(_ id: LocalMessageID) async throws {
    try await setFlag(.pin, on: id, to: true)
  }

  /// Unpins a message, no matter who pinned it. The pin is removed on this device at once, and on the server
  /// later. A message that is not pinned does not change.
  ///
  /// - Throws: the errors of ``pin(_:)``.
  public func unpin(_ id: LocalMessageID) async throws {
    try await setFlag(.pin, on: id, to: false)
  }

  /// Stars a message, to save it for later. The server must have the message; any user may have sent it.
  /// Nobody else sees the star. The message is among ``ChatClient/starredMessages`` at once. The star is sent
  /// to the server, and from there to the account's other devices, whatever happens to the app. A message
  /// that is already starred does not change.
  ///
  /// - Throws: ``ChatError`` if the message is unknown, not on the server yet or recalled, if its conversation is
  ///   closed, or if the server does not support stars; `StorageError` if the disk fails.
  public func star(_ id: LocalMessageID) async throws {
    try await setFlag(.star, on: id, to: true)
  }

  /// Removes this account's star, on this device at once and on the server later. A message that is not
  /// starred does not change.
  ///
  /// - Throws: the errors of ``star(_:)``.
  public func unstar(_ id: LocalMessageID) async throws {
    try await setFlag(.star, on: id, to: false)
  }

  /// Sets or removes a flag on a message that the server has. Does nothing if the flag already has the
  /// requested state.
  ///
  /// - Throws: the errors of ``pin(_:)`` or, for a star, of ``star(_:)``.
  package func setFlag(_ flag: MessageFlag, on id: LocalMessageID, to isSet: Bool) async throws {
    let name = newActionID()
    try await change { try MessageActions($0).flag(id, with: flag, isSet: isSet, as: name) }
  }

  private func newActionID() -> ActionID { ActionID(rawValue: store.runtime.makeIdentifier()) }
}
