import SkeinStorage
import SkeinWire

/// A validated request to revise one message.
struct Revising: Sendable {
  /// The maximum number of different reactions to one message.
  private static let reactions = 20
  /// The name of the flag that pins a message.
  static let pin = "pin"
  /// The name of the flag that stars a message.
  static let star = "star"
  /// The maximum number of pinned messages in one conversation.
  private static let pins = 100

  private let request: Wire.RevisionRequest
  private let user: Wire.UserID
  private let conversation: ConversationID
  /// The files that an edited content refers to.
  private let media: [Wire.MediaID]
  private let limit: Int

  /// Validates the parts of a request that do not depend on the message; throws a 400 or 413 if they are
  /// invalid.
  init(
    _ request: Wire.RevisionRequest, in conversation: ConversationID, by user: Wire.UserID, limit: Int
  ) throws {
    try Refusal.require(
      (1...128).contains(request.id.unicodeScalars.count), "A revision's id has 1 to 128 characters.")
    var media: [Wire.MediaID] = []
    switch request.revision {
    case .edit(let kind, let content): media = try Posting.validate(kind, content, limit: limit)
    case .recall: break
    case .flag(let flag, _):
      try Refusal.require([Self.pin, Self.star].contains(flag), "There is no such flag.")
    case .reaction(let key, _):
      try Refusal.require((1...64).contains(key.unicodeScalars.count), "A reaction has 1 to 64 characters.")
    }
    self.request = request
    self.user = user
    self.conversation = conversation
    self.media = media
    self.limit = limit
  }

  /// Applies the revision, unless it was applied before.
  ///
  /// - Returns: the members to poke, and the message as it is now. There is no member to poke if the revision was
  ///   applied before.
  func apply(in transaction: WriteTransaction, at time: Int64) throws -> (
    audience: [Wire.UserID], message: Wire.Message
  ) {
    _ = try transaction.membership(user, in: conversation)
    let name = Wire.MessageName(sender: request.sender, id: request.message)
    guard var row = try transaction.message(name, in: conversation) else { throw Refusal.notFound }
    if try transaction.find(StoredRevision.self, conversation, row.position, user, request.id) != nil {
      return ([], try transaction.wire([row], for: user)[0])
    }
    guard row.kind != StoredMessage.recalledKind else {
      throw Refusal(status: 409, code: .recalled, message: "The message was recalled.")
    }
    if case .flag(Self.star, let isSet) = request.revision {
      try transaction.setStar(isSet, on: row, by: user, at: time)
      try transaction.insert(
        StoredRevision(conversation: conversation, position: row.position, user: user, id: request.id))
      return ([user], try transaction.wire([row], for: user)[0])
    }
    let hadMentions = row.mentions != nil
    if case .edit(_, let content) = request.revision {
      // The message keeps its parameters and mentions.
      try Posting.check(content.utf8.count, and: row.otherBytes, limit: limit)
    }
    if case .flag(Self.pin, isSet: true) = request.revision {
      try transaction.requirePinRoom(for: row, most: Self.pins)
    }
    try change(&row, at: time)
    row.revision += 1
    row.revised = try transaction.nextChange()
    _ = try transaction.update(row)
    if row.kind == StoredMessage.recalledKind {
      if hadMentions { try transaction.deleteMentions(of: row) }
      try transaction.deleteStars(on: row)
    }
    try transaction.insert(
      StoredRevision(conversation: conversation, position: row.position, user: user, id: request.id))
    _ = try transaction.execute(
      "UPDATE conversation SET change = ? WHERE id = ?", row.revised, conversation)
    for id in media where try transaction.mayRead(id, user) {
      try transaction.upsert(StoredMediaReference(media: id, conversation: conversation))
    }
    return (try transaction.members(of: conversation), try transaction.wire([row], for: user)[0])
  }

  private func change(_ row: inout StoredMessage, at time: Int64) throws {
    switch request.revision {
    case .edit(let kind, let content):
      try requireSender(of: row)
      (row.kind, row.content, row.edited) = (kind, content, time)
    case .recall:
      try requireSender(of: row)
      row.kind = StoredMessage.recalledKind
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
        reactions.count <= Self.reactions, "A message has at most \(Self.reactions) different reactions.")
      row.reactions = reactions.isEmpty ? nil : String(decoding: try Wire.encode(reactions), as: UTF8.self)
    case .flag(_, let isSet): row.pinned = isSet ? row.pinned ?? time : nil
    }
  }

  private func requireSender(of row: StoredMessage) throws {
    guard row.sender == user else {
      throw Refusal(status: 403, code: .notSender, message: "Only the sender can edit or recall a message.")
    }
  }
}

extension ReadTransaction {
  /// Throws a 400 if the conversation's other pinned messages already reach the maximum.
  fileprivate func requirePinRoom(for row: StoredMessage, most: Int) throws {
    let others = try scalar(
      Int.self,
      "SELECT count(*) FROM message WHERE conversation = ? AND pinned IS NOT NULL AND position <> ?",
      row.conversation, row.position)
    try Refusal.require(others ?? 0 < most, "A conversation has at most \(most) pinned messages.")
  }
}
