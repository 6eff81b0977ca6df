import SkeinStorage

/// Which message another one replies to; where that is not here, by the names under which it will come.
struct ReplyRow: Mapped, Equatable {
  /// The reply.
  let message: LocalMessageID
  let conversation: ConversationID
  /// What it replies to, once that is here.
  var target: LocalMessageID?
  let sender: UserID
  let messageID: MessageID?
  let serverID: ServerMessageID?

  static let table = Table(
    "reply", key: ["message"],
    indexes: [
      Index(["conversation"]), Index(["target"], where: "target IS NOT NULL"),
      Index(["conversation", "sender", "message_id"], where: "target IS NULL"),
      Index(["conversation", "server_id"], where: "target IS NULL"),
    ],
    Self.init, Column("message", \.message), Column("conversation", \.conversation),
    Column("target", \.target), Column("sender", \.sender), Column("message_id", \.messageID),
    Column("server_id", \.serverID))

  init(
    message: LocalMessageID, conversation: ConversationID, target: LocalMessageID?, sender: UserID,
    messageID: MessageID?, serverID: ServerMessageID?
  ) {
    self.message = message
    self.conversation = conversation
    self.target = target
    self.sender = sender
    self.messageID = messageID
    self.serverID = serverID
  }

  init(_ message: LocalMessageID, in conversation: ConversationID, to target: MessageReference) {
    self.init(
      message: message, conversation: conversation, target: nil, sender: target.sender,
      messageID: target.messageID, serverID: target.serverID)
  }

  /// What it replies to, by what is known of that without it.
  var reference: MessageReference {
    MessageReference(sender: sender, messageID: messageID, serverID: serverID)
  }
}

extension MessageRow {
  /// The message by the names that its server may know it by.
  var reference: MessageReference {
    MessageReference(
      sender: sender, messageID: isNamedHere ? nil : messageID, serverID: serverID)
  }
}
