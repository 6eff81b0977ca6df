import SkeinSockets
import SkeinStorage
import SkeinWire

extension Endpoints {
  /// `POST /v1/conversations`
  @Sendable func openConversation(_ call: Call, _ asker: Asker) async throws -> HTTPResponse {
    let plan = try ConversationPlan(try await call.json(Wire.ConversationRequest.self), by: asker.user)
    let (made, conversation) = try await database.write(.powerCut) { transaction in
      if let row = try transaction.first(StoredConversation.self, "WHERE alias = ?", plan.alias) {
        let known = try transaction.known(row, as: plan, for: asker.user)
        let isNews = try transaction.addContacts(of: known, to: [asker.user])
        return (Made(told: isNews ? [asker.user] : []), known)
      }
      let made = try transaction.create(plan, for: asker.user)
      _ = try transaction.addContacts(of: made, to: made.members)
      let strangers = try transaction.strangers(among: made.members)
      return (Made(told: made.members, isNew: true, strangers: strangers), made)
    } committed: { (made: Made, conversation: Wire.Conversation) in
      pushHub.poke(made.told)
      guard made.isNew else { return }
      let all = Set(conversation.members)
      for member in conversation.members {
        pushHub.acquaint(member, with: all.subtracting([member]).subtracting(made.strangers[member] ?? []))
      }
    }
    return .json(made.isNew ? 201 : 200, conversation)
  }

  /// What came of opening a conversation, beside itself.
  private struct Made: Sendable {
    let told: [Wire.UserID]
    var isNew = false
    /// Those in it who have taken each other off their contact lists.
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
    try Refusal.require(request.epoch ?? epoch == epoch, "This position is of another epoch.")
    let (_, mark) = try await database.write { transaction in
      let (conversation, member) = try transaction.membership(asker.user, in: id)
      let read = min(position, conversation.head)
      guard read > member.readPosition else { return ([], member.readPosition) }
      return (try transaction.read(upTo: read, by: member) + [asker.user], read)
    } committed: { (told: [Wire.UserID], _: Int64) in
      pushHub.poke(told)
    }
    return .json(200, Wire.ReadMark(readPosition: mark))
  }
}

extension WriteTransaction {
  /// The conversation that an alias found; a 409 if it was to be another one.
  fileprivate func known(
    _ row: StoredConversation, as plan: ConversationPlan, for user: Wire.UserID
  ) throws -> Wire.Conversation {
    let (_, member) = try membership(user, in: row.id)
    let members = try members(of: row.id)
    // Who is named and is no member may have left since: what was asked for at first is not kept.
    guard row.title == plan.title, Set(members).isSubset(of: plan.members) else {
      throw Refusal(status: 409, code: .idInUse, message: "You made another group with this id.")
    }
    return try wire(row, for: member)
  }

  /// Whoever opens a direct conversation has the other on the list; the first opening is for both. A group is on every
  /// member's.
  ///
  /// - Returns: whether a list has changed.
  fileprivate func addContacts(of conversation: Wire.Conversation, to users: [Wire.UserID]) throws -> Bool {
    var isNews = false
    for user in users {
      let contacts: [ContactID] =
        conversation.kind == .direct
        ? conversation.members.filter { $0 != user }.map { .user($0) }
        : ConversationID(conversation.id).map { [.group($0)] } ?? []
      for contact in contacts where try addContact(contact, of: user) { isNews = true }
    }
    return isNews
  }

  fileprivate func create(_ plan: ConversationPlan, for user: Wire.UserID) throws -> Wire.Conversation {
    for member in plan.members where try find(StoredUser.self, member) == nil {
      throw Refusal.unknownUser(member)
    }
    let change = try nextChange()
    let row = StoredConversation(
      id: .random(), kind: plan.kind, title: plan.title, alias: plan.alias, head: 0, change: change)
    try insert(row)
    let members = plan.members.map {
      StoredMember(user: $0, conversation: row.id, readPosition: 0, change: change)
    }
    try insert(members)
    return row.wire(
      for: StoredMember(user: user, conversation: row.id, readPosition: 0, change: change),
      members: plan.members
    )
  }
}

extension StoredConversation {
  /// The conversation as a member sees it, up to a position where it ends for now.
  func wire(
    for member: StoredMember, members: [Wire.UserID], receipts: [Wire.Receipt] = [], head: Int64? = nil
  ) -> Wire.Conversation {
    let head = head ?? self.head
    return Wire.Conversation(
      id: id.wire, kind: kind, title: title,
      peer: kind == .direct ? members.first { $0 != member.user } : nil,
      members: members, head: head, readPosition: min(member.readPosition, head), receipts: receipts)
  }
}
