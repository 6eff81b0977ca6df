#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage

/// A revised message that is not here: what brings it may be of before the revision, as a page that was asked for earlier; and
/// while it is pinned, it is shown as that.
struct RevisedRow: Mapped, Equatable {
  let conversation: ConversationID
  let serverID: ServerMessageID
  let revision: Int64
  let kind: MessageKind
  let payload: Data
  let edited: Timestamp?
  let reactions: Data?
  let parameters: Data?
  let pinned: Timestamp?
  /// What is shown of it while it is pinned.
  let sender: UserID
  let messageID: MessageID?
  let time: Timestamp

  static let table = Table(
    "revised", key: ["conversation", "server_id"], clusteredBy: ["conversation", "server_id"],
    Self.init, Column("conversation", \.conversation), Column("server_id", \.serverID),
    Column("revision", \.revision), Column("kind", \.kind), Column("payload", \.payload),
    Column("edited", \.edited), Column("reactions", \.reactions), Column("parameters", \.parameters),
    Column("pinned", \.pinned), Column("sender", \.sender), Column("message_id", \.messageID),
    Column("time", \.time))

  /// The message as it is since, unless it was handed over as it is by now.
  func applied(to message: IncomingMessage) -> IncomingMessage {
    guard revision > message.revision else { return message }
    var message = message
    (message.kind, message.payload, message.revision) = (kind, payload, revision)
    (message.edited, message.reactions) = (edited, StoredReactions.decode(reactions))
    message.pinned = pinned
    message.parameters = StoredParameters.decode(parameters)
    if kind == RecalledContent.kind { (message.mentions, message.quote) = (.nobody, nil) }
    return message
  }
}

/// In an extension, so that the memberwise initializer that the table is made with stays.
extension RevisedRow {
  init(_ message: IncomingMessage, as name: ServerMessageID, in conversation: ConversationID) {
    self.init(
      conversation: conversation, serverID: name, revision: message.revision, kind: message.kind,
      payload: message.payload, edited: message.edited,
      reactions: message.reactions.flatMap(StoredReactions.encode),
      parameters: message.parameters.flatMap(StoredParameters.encode), pinned: message.pinned,
      sender: message.sender, messageID: message.messageID, time: message.time)
  }
}

extension MessageRow {
  /// Takes over what was kept of the message before it was here.
  mutating func take(_ kept: RevisedRow) {
    guard kept.revision > revision else { return }
    (kind, payload, revision) = (kept.kind, kept.payload, kept.revision)
    (edited, reactions, pinned) = (kept.edited, kept.reactions, kept.pinned)
    if let parameters = kept.parameters { self.parameters = parameters }
    if isRecalled { (quote, isMention) = (nil, false) }
  }
}

extension ChatTransaction {
  /// Messages that the server says were revised since. One that is not here is kept until it comes.
  func takeRevised(_ delta: ConversationDelta, in id: ConversationID) throws {
    guard !delta.revised.isEmpty else { return }
    let row = try conversation(id)
    for message in delta.revised {
      let known = try rows.message(like: message, in: row.id)
      if let known, known.status == .sent, !known.rank.isEarlier {
        try forgetRevised(message.serverID, in: row.id)
        try merge(message, at: store.rank(message.position) ?? known.rank, into: known)
      } else if let name = message.serverID {
        try keep(message, as: name, in: row)
        try showQuotes(of: message, as: name, in: row.id)
      }
    }
  }

  /// A message came that has no place here: what was done to it is kept, unless more is known of that.
  func keepAside(_ message: IncomingMessage, in id: ConversationID) throws {
    guard message.revision > 0, let name = message.serverID,
      try rows.find(RevisedRow.self, id, name)?.revision ?? 0 < message.revision
    else { return }
    try keep(message, as: name, in: conversation(id))
  }

  private func keep(_ message: IncomingMessage, as name: ServerMessageID, in row: ConversationRow) throws {
    guard !isCleared(message, in: row) else { return }
    try rows.upsert(RevisedRow(message, as: name, in: row.id))
    try noteReceiptsOrPins(of: row.id)
  }

  /// Whether a message is of what was cleared: in an earlier epoch, and where there are no positions, by its time.
  private func isCleared(_ message: IncomingMessage, in row: ConversationRow) -> Bool {
    if let rank = store.rank(message.position), !row.floor.isEarlier { return rank <= row.floor }
    return row.clearedTime.map { message.time <= $0 } ?? false
  }

  /// A message is here, or about to be: nothing is to be kept of what was done to it.
  ///
  /// - Returns: what was kept.
  @discardableResult
  func forgetRevised(_ name: ServerMessageID?, in id: ConversationID) throws -> RevisedRow? {
    guard let name, let row = try rows.find(RevisedRow.self, id, name) else { return nil }
    _ = try rows.delete(RevisedRow.self, id, name)
    try noteReceiptsOrPins(of: id)
    return row
  }
}
