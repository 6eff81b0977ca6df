import SkeinStorage
import SkeinWire

/// What one request does to one message.
struct Revising: Sendable {
  /// The most ways in which people can react to one message.
  private static let reactions = 20
  /// The most messages that can be pinned in one conversation.
  private static let pins = 100
  /// What stands for whatever a recalled message said.
  static let recalled = "recalled"

  private let request: Wire.RevisionRequest
  private let user: Wire.UserID
  private let conversation: ConversationID
  /// The files that an edited content names.
  private let media: [Wire.MediaID]

  /// What a request does; a 400 or 413 for what can't be done to any message.
  init(
    _ request: Wire.RevisionRequest, in conversation: ConversationID, by user: Wire.UserID, limit: Int
  ) throws {
    try Refusal.require(
      (1...128).contains(request.id.unicodeScalars.count), "A revision's id has 1 to 128 characters.")
    var media: [Wire.MediaID] = []
    switch request.revision {
    case .edit(let kind, let content): media = try Posting.check(kind, content, limit: limit)
    case .recall, .pin: break
    case .reaction(let key, _):
      try Refusal.require((1...64).contains(key.unicodeScalars.count), "A reaction has 1 to 64 characters.")
    }
    self.request = request
    self.user = user
    self.conversation = conversation
    self.media = media
  }

  /// Does it, unless it was done before.
  ///
  /// - Returns: the message as it is then, and who is to hear of it.
  func apply(in transaction: WriteTransaction, at time: Int64) throws -> (
    told: [Wire.UserID], message: Wire.Message
  ) {
    _ = try transaction.membership(user, in: conversation)
    let name = Wire.MessageName(sender: request.sender, id: request.message)
    guard var row = try transaction.message(name, in: conversation) else { throw Refusal.notFound }
    if try transaction.find(StoredRevision.self, conversation, row.position, user, request.id) != nil {
      return ([], try transaction.wire([row])[0])
    }
    guard row.kind != Self.recalled else {
      throw Refusal(status: 409, code: .recalled, message: "The message was recalled.")
    }
    let callsSomebody = row.mentions != nil
    if case .pin(isSet: true) = request.revision {
      try transaction.checkRoom(forPinning: row, most: Self.pins)
    }
    try revise(&row, at: time)
    row.revision += 1
    row.revised = try transaction.nextChange()
    _ = try transaction.update(row)
    if callsSomebody, row.kind == Self.recalled { try transaction.callNobody(by: row) }
    try transaction.insert(
      StoredRevision(conversation: conversation, position: row.position, user: user, id: request.id))
    _ = try transaction.execute(
      "UPDATE conversation SET change = ? WHERE id = ?", row.revised, conversation)
    for id in media where try transaction.mayRead(id, user) {
      try transaction.upsert(StoredMediaReference(media: id, conversation: conversation))
    }
    return (try transaction.members(of: conversation), try transaction.wire([row])[0])
  }

  private func revise(_ row: inout StoredMessage, at time: Int64) throws {
    switch request.revision {
    case .edit(let kind, let content):
      try requireSender(of: row)
      (row.kind, row.content, row.edited) = (kind, content, time)
    case .recall:
      try requireSender(of: row)
      row.kind = Self.recalled
      row.content = String(decoding: try Wire.encode(["by": user]), as: UTF8.self)
      row.parameters = nil
      row.mentions = nil
      row.reactions = nil
      row.pinned = nil
    case .reaction(let key, let isSet):
      var reactions = row.wireReactions ?? []
      let index = reactions.firstIndex { $0.key == key } ?? reactions.count
      if index == reactions.count { reactions.append(Wire.Reaction(key: key, users: [])) }
      reactions[index].users.removeAll { $0 == user }
      if isSet { reactions[index].users.append(user) }
      reactions.removeAll(where: \.users.isEmpty)
      try Refusal.require(
        reactions.count <= Self.reactions, "People can react to a message in \(Self.reactions) ways.")
      row.reactions = reactions.isEmpty ? nil : String(decoding: try Wire.encode(reactions), as: UTF8.self)
    case .pin(let isSet): row.pinned = isSet ? row.pinned ?? time : nil
    }
  }

  private func requireSender(of row: StoredMessage) throws {
    guard row.sender == user else {
      throw Refusal(status: 403, code: .notSender, message: "Only its sender can do this to a message.")
    }
  }
}

extension ReadTransaction {
  /// Refuses where so much is pinned in the conversation that a message can't be as well.
  fileprivate func checkRoom(forPinning row: StoredMessage, most: Int) throws {
    let others = try scalar(
      Int.self,
      "SELECT count(*) FROM message WHERE conversation = ? AND pinned IS NOT NULL AND position <> ?",
      row.conversation, row.position)
    try Refusal.require(others ?? 0 < most, "In a conversation \(most) messages can be pinned.")
  }
}
