#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage

/// The operations that open conversations on the server; messages and actions wait for these operations.
struct ConversationOpenings {
  private let work: UnitOfWork

  init(_ work: UnitOfWork) { self.work = work }

  /// Throws ``ChatError`` if the conversation is unknown, closed or an invitation that was not accepted. Nothing is sent
  /// to such a conversation.
  func checkOpen(_ id: ConversationID) throws {
    let row = try work.row(of: id)
    if row.isClosed {
      throw ChatError(
        .conversationClosed, "The conversation is closed: its contact was removed, or the group was left.")
    }
    if row.invitation == .pending {
      throw ChatError(.invitationPending, "Accept the invitation to this conversation first.")
    }
  }

  /// Queues the opening of a conversation, unless an opening is queued already.
  ///
  /// An earlier opening may have failed although the server has created the conversation. The server
  /// recognizes a repeated opening by its peer, by the key of a group, or by the ref of an invitation.
  func queueOpening(of id: ConversationID) throws {
    guard try work.rows.opening(of: id) == nil else { return }
    let parameters = try StoredJSON.encode(try request(for: id))
    try work.queue(
      OperationRow(
        id: work.makeOperationID(), conversation: id, kind: .open, message: nil, parameters: parameters,
        needsPreparation: false, attempts: 0, outcomeIsUnknown: false, queued: work.store.runtime.now()))
  }

  /// Lets the waiting operations of a conversation wait until ``release(_:)`` is called.
  func hold(_ id: ConversationID) throws {
    guard try work.rows.hold(of: id) == nil else { return }
    try work.queue(
      OperationRow(
        id: work.makeOperationID(), conversation: id, kind: .hold, message: nil, parameters: nil,
        needsPreparation: false, attempts: 0, outcomeIsUnknown: false, queued: work.store.runtime.now()))
  }

  /// Ends the wait that ``hold(_:)`` has begun.
  func release(_ id: ConversationID) throws {
    if let hold = try work.rows.hold(of: id) { try work.end(hold.id) }
  }

  /// Removes the queued opening of a conversation, because the server has the conversation.
  func endOpening(of id: ConversationID) throws {
    if let opening = try work.rows.opening(of: id) { try work.end(opening.id) }
  }

  private func request(for id: ConversationID) throws -> ConversationRequest {
    let row = try work.row(of: id)
    if let ref = row.ref, row.invitation == .accepted { return .invitation(ref) }
    if let peer = row.peer { return .direct(peer) }
    let key = row.openingKey ?? work.store.runtime.makeIdentifier()
    if row.openingKey == nil { try work.change(id) { $0.openingKey = key } }
    let members = try work.rows.members(of: id).map(\.user)
    return .group(id: key, title: row.title ?? "", members: members.filter { $0 != work.store.account })
  }
}
