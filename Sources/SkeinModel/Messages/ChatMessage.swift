/// A message as the app sees it: a value that never changes; the list publishes a new one instead.
public struct ChatMessage: Sendable, Hashable, Identifiable {
  /// The row on this device, the same before and after it was sent.
  public let id: LocalMessageID
  /// Where it belongs.
  public let conversation: ConversationID
  /// The name its sender's client gave it.
  public let messageID: MessageID
  /// The server's name for it, once known.
  public let serverID: ServerMessageID?
  /// Who sent it.
  public let sender: UserID
  /// Whether this account sent it, from whatever device.
  public let isOwn: Bool
  /// When the server took it; for a message not sent yet, when it was composed.
  public let time: Timestamp
  /// How far it has come.
  public let status: MessageStatus
  /// Why it failed or is uncertain; of a message that was sent, why the last edit, recall, reaction or pin came to nothing.
  public let failure: SendFailure?
  /// What it says.
  public let content: StoredContent
  /// What its sender's app told the server beside the content; see ``MessageDraft/parameters``.
  public let parameters: [String: String]
  /// When its sender last edited it; nil if that never happened.
  public let edited: Timestamp?
  /// Who reacted to it and how, this account's reactions that are still on their way among them.
  public let reactions: [Reaction]
  /// Whether it is pinned for everybody in its conversation, or about to be.
  public let isPinned: Bool
  /// Whether an edit, a recall, a reaction or a pin of this account is on its way to the server; it is shown as done.
  public let hasPendingRevision: Bool
  /// Whether it calls this account, by name or with everyone; see ``Mentions``.
  public let isMention: Bool
  /// What it replies to; nil if it is no reply.
  public let quote: Quote?
  /// Rises with every change of the row; (id, version) names exactly this value.
  public let version: Int64
  /// Its place among its conversation's messages.
  package let rank: Rank

  package init(
    id: LocalMessageID, conversation: ConversationID, messageID: MessageID, serverID: ServerMessageID?,
    sender: UserID, isOwn: Bool, time: Timestamp, status: MessageStatus, failure: SendFailure?,
    content: StoredContent, parameters: [String: String], edited: Timestamp?, reactions: [Reaction],
    isPinned: Bool, hasPendingRevision: Bool, isMention: Bool, quote: Quote?, version: Int64, rank: Rank
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
    self.isPinned = isPinned
    self.hasPendingRevision = hasPendingRevision
    self.isMention = isMention
    self.quote = quote
    self.version = version
    self.rank = rank
  }

  /// Its type name on the wire.
  public var kind: MessageKind { content.kind }
  /// Whether it was taken back from everybody; see ``RecalledContent``.
  public var isRecalled: Bool { kind == RecalledContent.kind }
}

/// How far a message has come.
public enum MessageStatus: Int64, Sendable, Hashable, Codable {
  /// On disk, waiting for its turn or for the network.
  case queued = 0
  /// Being prepared or posted.
  case sending = 1
  /// The server has it.
  case sent = 2
  /// It will not be sent unless its user tries again.
  case failed = 3
  /// It may or may not have arrived, and the server can't tell; only its user sends it again.
  case uncertain = 4
}
