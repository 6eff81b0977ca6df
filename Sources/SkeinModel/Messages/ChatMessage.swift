/// A message for the app: an immutable value; after a change the list publishes a new value.
public struct ChatMessage: Sendable, Hashable, Identifiable {
  /// The id on this device, the same before and after sending.
  public let id: LocalMessageID
  /// The conversation of the message.
  public let conversation: ConversationID
  /// The id that the sender's client gave the message. If the server does not return this id, the device
  /// assigns an id.
  public let messageID: MessageID
  /// The server's id of the message; nil if the server assigns no ids, or if the id is not known.
  public let serverID: ServerMessageID?
  /// The sender.
  public let sender: UserID
  /// Whether this account sent the message, from any device.
  public let isOwn: Bool
  /// The time at which the server stored the message; for an unsent message, the time at which it was composed.
  public let time: Timestamp
  /// The state of sending.
  public let status: MessageStatus
  /// The reason why the message failed or is uncertain. For a sent message, the reason why the last edit,
  /// recall, reaction or flag failed. Nil if there is no such failure.
  public let failure: SendFailure?
  /// The content.
  public let content: StoredContent
  /// The parameters sent beside the content; see ``MessageDraft/parameters``.
  public let parameters: [String: String]
  /// The time of the sender's last edit; nil if the message was not edited, or if the server does not report
  /// the time.
  public let edited: Timestamp?
  /// The reactions. This account's changes are included before the server confirms them.
  public let reactions: [Reaction]
  /// The message's flags. This account's changes are included before the server confirms them.
  public let flags: Set<MessageFlag>
  /// Whether an edit, a recall, a reaction or a flag of this account waits for the server's confirmation. The
  /// message already shows this change.
  public let hasPendingAction: Bool
  /// Whether the message mentions this account, by the account's id or by mentioning everyone; see
  /// ``Mentions``. Always false for own messages, and for messages that are not countable
  /// (``IncomingMessage/isCountable``).
  public let isMention: Bool
  /// The message that this message replies to. Nil if this message is not a reply, or was recalled on the
  /// server.
  public let quote: Quote?
  /// Rises with every change of the message on this device; ``id`` and version together identify this exact value.
  public let version: Int64
  /// The message's rank in the conversation.
  package let rank: Rank

  package init(
    id: LocalMessageID, conversation: ConversationID, messageID: MessageID, serverID: ServerMessageID?,
    sender: UserID, isOwn: Bool, time: Timestamp, status: MessageStatus, failure: SendFailure?,
    content: StoredContent, parameters: [String: String], edited: Timestamp?, reactions: [Reaction],
    flags: Set<MessageFlag>, hasPendingAction: Bool, isMention: Bool, quote: Quote?, version: Int64,
    rank: Rank
  ) {
    self.id = id
    self.conversation = conversation
    self.messageID = messageID
    self.serverID = serverID
    self.sender = sender
    self.isOwn = isOwn
    self.time = time
    self.status = status
    self.failure = failure
    self.content = content
    self.parameters = parameters
    self.edited = edited
    self.reactions = reactions
    self.flags = flags
    self.hasPendingAction = hasPendingAction
    self.isMention = isMention
    self.quote = quote
    self.version = version
    self.rank = rank
  }

  /// The message's type name on the wire.
  public var kind: MessageKind { content.kind }
  /// Whether the message was recalled; see ``RecalledContent``.
  public var isRecalled: Bool { kind == RecalledContent.kind }
}

/// The state of sending a message.
public enum MessageStatus: Int64, Sendable, Hashable, Codable {
  /// The message is on disk, and waits for its turn or for the network.
  case queued = 0
  /// The message is being prepared or posted, or is prepared and waits for its post. After a crash, the status stays
  /// until the next start.
  case sending = 1
  /// The server has the message.
  case sent = 2
  /// The message is not sent unless the user tries again.
  case failed = 3
  /// The message may have arrived. The message is sent again only if the user requests this.
  case uncertain = 4
}
