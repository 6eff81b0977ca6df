import SkeinStorage

/// The target of a reply, with the ids by which the target is recognized if it is stored later.
struct ReplyRow: Mapped, Equatable {
  /// The reply.
  let message: LocalMessageID
  let conversation: ConversationID
  /// The message replied to, once it is stored.
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

  /// The ids of the message replied to.
  var reference: MessageReference {
    MessageReference(sender: sender, messageID: messageID, serverID: serverID)
  }
}

extension MessageRow {
  /// A reference to the message, without a message id that the server does not know (``isNamedHere``).
  var reference: MessageReference {
    MessageReference(
      sender: sender, messageID: isNamedHere ? nil : messageID, serverID: serverID)
  }
}
