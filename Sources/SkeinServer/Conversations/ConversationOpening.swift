import SkeinStorage
import SkeinWire

extension WriteTransaction {
  /// Returns the stored conversation with the plan's alias, as the user sees it. Throws a 409 if the group
  /// has another title or a member who is not in the plan, and a 404 if the user has left the group.
  func existing(
    _ row: StoredConversation, as plan: ConversationPlan, for user: Wire.UserID
  ) throws -> Wire.Conversation {
    let (_, member) = try membership(user, in: row.id)
    let members = try members(of: row.id)
    // The original list of members is not stored. A user of the plan who is not a member may have left the
    // group since. So only a member who is not in the plan is a conflict.
    guard row.title == plan.title, Set(members).isSubset(of: plan.members) else {
      throw Refusal(status: 409, code: .idInUse, message: "This id belongs to another group of yours.")
    }
    return try wire(row, for: member)
  }

  /// Creates the conversation of a plan, with all its members. Throws a 404 for an unknown user.
  func create(_ plan: ConversationPlan, for user: Wire.UserID) throws -> Wire.Conversation {
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
    return try wire(row, for: StoredMember(user: user, conversation: row.id, readPosition: 0, change: change))
  }
}

extension ReadTransaction {
  /// Returns a conversation as a member sees it. If `head` is given, no position in the result is
  /// after `head`.
  func wire(
    _ row: StoredConversation, for member: StoredMember, head: Int64? = nil
  ) throws -> Wire.Conversation {
    let head = head ?? row.head
    let members = try select(StoredMember.self, "WHERE conversation = ? ORDER BY user", row.id)
    let receipts = members.filter { $0.user != member.user && ($0.delivered > 0 || $0.readPosition > 0) }
    return Wire.Conversation(
      id: row.id.wire, kind: row.kind, title: row.title,
      peer: row.kind == .direct ? members.map(\.user).first { $0 != member.user } : nil,
      members: members.map(\.user), head: head, readPosition: min(member.readPosition, head),
      receipts: receipts.map {
        Wire.Receipt(
          user: $0.user, delivered: min(max($0.delivered, $0.readPosition), head),
          read: min($0.readPosition, head))
      }, settings: member.settings)
  }
}
