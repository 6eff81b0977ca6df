import SkeinSockets
import SkeinStorage
import SkeinWire

extension Endpoints {
  /// `POST /v1/conversations`
  @Sendable func openConversation(_ call: Call, _ asker: Asker) async throws -> HTTPResponse {
    let plan = try ConversationPlan(try await call.json(Wire.ConversationRequest.self), by: asker.user)
    let (opening, conversation) = try await database.write(.powerCut) { transaction in
      if let row = try transaction.first(StoredConversation.self, "WHERE alias = ?", plan.alias) {
        let known = try transaction.existing(row, as: plan, for: asker.user)
        let hasChanged = try transaction.addContacts(of: known, to: [asker.user])
        return (Opening(audience: hasChanged ? [asker.user] : []), known)
      }
      let made = try transaction.create(plan, for: asker.user)
      _ = try transaction.addContacts(of: made, to: made.members)
      let strangers = try transaction.strangers(among: made.members)
      return (Opening(audience: made.members, isNew: true, strangers: strangers), made)
    } committed: { (opening: Opening, conversation: Wire.Conversation) in
      pushHub.poke(opening.audience)
      guard opening.isNew, conversation.members.count <= SharedPresence.maximumMembers else { return }
      let all = Set(conversation.members)
      for member in conversation.members {
        pushHub.sharePresence(
          of: member, with: all.subtracting([member]).subtracting(opening.strangers[member] ?? []))
      }
    }
    return .json(opening.isNew ? 201 : 200, conversation)
  }

  /// The outcome of opening a conversation.
  private struct Opening: Sendable {
    let audience: [Wire.UserID]
    var isNew = false
    /// The strangers of each member, as `strangers(among:)` returns them.
    var strangers: [Wire.UserID: Set<Wire.UserID>] = [:]
  }

  /// `GET /v1/conversations/{}`
  @Sendable func conversation(_ call: Call, _ asker: Asker) async throws -> HTTPResponse {
    let id = try call.conversation
    return .json(
      200,
      try await database.read { transaction in
        let (row, member) = try transaction.membership(asker.user, in: id)
        return try transaction.wire(row, for: member)
      })
  }

  /// `POST /v1/conversations/{}/read`
  @Sendable func markRead(_ call: Call, _ asker: Asker) async throws -> HTTPResponse {
    let id = try call.conversation
    let request = try await call.json(Wire.ReadRequest.self)
    let position = request.position
    try Refusal.require(position >= 0, "A position is 0 or more.")
    try Refusal.require(request.epoch ?? epoch == epoch, "This position belongs to another epoch.")
    let (_, mark) = try await database.write { transaction in
      let (conversation, member) = try transaction.membership(asker.user, in: id)
      let read = min(position, conversation.head)
      guard read > member.readPosition else { return ([], member.readPosition) }
      return (try transaction.markRead(upTo: read, by: member) + [asker.user], read)
    } committed: { (senders: [Wire.UserID], _: Int64) in
      pushHub.poke(senders)
    }
    return .json(200, Wire.ReadMark(readPosition: mark))
  }
}
