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
  let rank: Rank

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

/// Why a message was not sent, or what was last done to it came to nothing.
public struct SendFailure: Error, Sendable, Hashable, Codable, CustomStringConvertible {
  /// What kind of failure it was; more codes may come.
  public struct Code: RawRepresentable, Hashable, Sendable, Codable {
    /// The code's name.
    public let rawValue: String
    /// Takes a stored code.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The server refuses this message, now and later.
    public static let refused = Code(rawValue: "refused")
    /// A ``SendParticipant`` did not let it pass; the app may have codes of its own for that.
    public static let rejected = Code(rawValue: "rejected")
    /// An attached file is gone or can't be read.
    public static let attachmentUnreadable = Code(rawValue: "attachmentUnreadable")
    /// The server may have it and can't be asked.
    public static let outcomeUnknown = Code(rawValue: "outcomeUnknown")
    /// The conversation could not be opened.
    public static let conversationRefused = Code(rawValue: "conversationRefused")
    /// Who it was for is not among the contacts any more, or the group was left.
    public static let recipientRemoved = Code(rawValue: "recipientRemoved")
    /// The server had it, and has lost it since: its history was set back.
    public static let lost = Code(rawValue: "lost")
    /// It, or the message that it depends on, was taken back before it was sent.
    public static let cancelled = Code(rawValue: "cancelled")
    /// The server failed at it for too long; see ``ChatOptions/giveUpAfter``.
    public static let gaveUp = Code(rawValue: "gaveUp")
    /// Its kind is not registered any more, and it still had something to prepare.
    public static let kindUnknown = Code(rawValue: "kindUnknown")
  }
  /// What kind of failure it was.
  public let code: Code
  /// One sentence for a person.
  public let message: String
  /// Describes a failure.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
  /// Code and sentence.
  public var description: String { "\(code.rawValue): \(message)" }
}
