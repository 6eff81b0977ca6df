import SkeinStorage

/// Queries of the message table.
extension ReadTransaction {
  /// The message of an id that an app named.
  func message(_ id: LocalMessageID) throws -> MessageRow {
    guard let row = try find(MessageRow.self, id) else {
      throw ChatError(.messageUnknown, "There is no such message in this database.")
    }
    return row
  }

  /// The row of a received message, found by its message id or its server id.
  func message(like message: IncomingMessage, in conversation: ConversationID) throws -> MessageRow? {
    if let id = message.messageID,
      let row = try self.message(named: id, by: message.sender, in: conversation)
    {
      return row
    }
    guard let server = message.serverID,
      let row = try first(MessageRow.self, "WHERE conversation = ? AND server_id = ?", conversation, server)
    else { return nil }
    // A row with another message id is another message. So is one of an earlier epoch with another sender or time.
    let isNamed = message.messageID == nil || row.isNamedHere || row.messageID == message.messageID
    let isAtAnotherTime = row.isNamedHere && row.time != message.time
    let isAnother = row.rank.isEarlier && (row.sender != message.sender || isAtAnotherTime)
    return isNamed && !isAnother ? row : nil
  }

  /// The message that a server refers to, by its message id if that is given.
  func message(named name: MessageReference, in conversation: ConversationID) throws -> MessageRow? {
    if let id = name.messageID, let row = try message(named: id, by: name.sender, in: conversation) {
      return row
    }
    guard let server = name.serverID,
      let row = try first(
        MessageRow.self, "WHERE conversation = ? AND server_id = ? AND sender = ?", conversation, server,
        name.sender)
    else { return nil }
    // A row with another message id is another message, and so may be one of an earlier epoch.
    return (name.messageID == nil || row.isNamedHere) && !row.rank.isEarlier ? row : nil
  }

  private func message(named id: MessageID, by sender: UserID, in conversation: ConversationID) throws
    -> MessageRow?
  {
    try first(
      MessageRow.self, "WHERE conversation = ? AND sender = ? AND message_id = ?", conversation, sender, id)
  }

  /// Another row with this one's server id.
  func duplicate(of row: MessageRow) throws -> MessageRow? {
    guard let server = row.serverID else { return nil }
    return try first(
      MessageRow.self, "WHERE conversation = ? AND server_id = ? AND id <> ?", row.conversation, server,
      row.id)
  }

  /// The place of a message with a server id; nil if it is not stored, or deleted here.
  func place(of id: ServerMessageID, in conversation: ConversationID) throws -> MessageOrder? {
    try first(
      MessageRow.self, "WHERE conversation = ? AND server_id = ? AND is_hidden = 0", conversation, id)?.order
  }

  // MARK: Ends of a conversation

  /// The newest message of a conversation that is not deleted here, sent or not.
  func lastMessage(of conversation: ConversationID) throws -> MessageRow? {
    try first(
      MessageRow.self, "WHERE conversation = ? AND is_hidden = 0 ORDER BY rank DESC, id DESC LIMIT 1",
      conversation)
  }

  /// The places of the first and the last of a conversation's messages that are not deleted here.
  func storedMessages(of conversation: ConversationID, upTo last: MessageRow?) throws
    -> ClosedRange<MessageOrder>?
  {
    let first = try first(
      MessageRow.self, "WHERE conversation = ? AND is_hidden = 0 ORDER BY rank, id LIMIT 1", conversation)
    return first.flatMap { first in last.map { first.order...$0.order } }
  }

  /// The rank of the last message of a conversation that has its place, up to a rank.
  func lastAcknowledged(in conversation: ConversationID, upTo rank: Rank = .firstUnsent.predecessor) throws
    -> Rank?
  {
    try scalar(
      Rank.self,
      "SELECT rank FROM message WHERE conversation = ? AND rank > ? AND rank <= ? ORDER BY rank DESC LIMIT 1",
      conversation, Rank.unplaced, rank)
  }

  /// Every message of a conversation in its order, deleted ones among them.
  func messages(of conversation: ConversationID, limit: Int = .max) throws -> [MessageRow] {
    try select(MessageRow.self, "WHERE conversation = ? ORDER BY rank, id LIMIT ?", conversation, limit)
  }

  // MARK: Pages

  /// Messages below a place and not below a rank, the highest first, without those deleted here.
  func messages(of conversation: ConversationID, below anchor: MessageOrder, from bottom: Rank, limit: Int)
    throws -> [MessageRow]
  {
    try select(
      MessageRow.self,
      """
      WHERE conversation = ? AND is_hidden = 0 AND (rank, id) < (?, ?) AND rank >= ?
      ORDER BY rank DESC, id DESC LIMIT ?
      """,
      conversation, anchor.rank, anchor.id, bottom, limit)
  }

  /// Messages above a place and not above a rank, the lowest first, without those deleted here.
  func messages(of conversation: ConversationID, above anchor: MessageOrder, upTo top: Rank, limit: Int)
    throws -> [MessageRow]
  {
    try select(
      MessageRow.self,
      """
      WHERE conversation = ? AND is_hidden = 0 AND (rank, id) > (?, ?) AND rank <= ?
      ORDER BY rank, id LIMIT ?
      """,
      conversation, anchor.rank, anchor.id, top, limit)
  }

  /// Messages between two places, both included, without those deleted here.
  func messages(of conversation: ConversationID, within bounds: ClosedRange<MessageOrder>) throws
    -> [MessageRow]
  {
    try select(
      MessageRow.self,
      """
      WHERE conversation = ? AND is_hidden = 0 AND (rank, id) >= (?, ?) AND (rank, id) <= (?, ?)
      ORDER BY rank, id
      """, conversation, bounds.lowerBound.rank, bounds.lowerBound.id, bounds.upperBound.rank,
      bounds.upperBound.id)
  }

  /// The first message between two ranks whose place the server has determined.
  func firstMessage(of conversation: ConversationID, from lower: Rank, to upper: Rank) throws -> MessageRow? {
    try first(
      MessageRow.self,
      "WHERE conversation = ? AND rank BETWEEN ? AND ? AND status = ? ORDER BY rank, id LIMIT 1",
      conversation, lower, upper, MessageStatus.sent)
  }

  /// The last message between two ranks whose place the server has determined.
  func lastMessage(of conversation: ConversationID, from lower: Rank, to upper: Rank) throws -> MessageRow? {
    try first(
      MessageRow.self,
      """
      WHERE conversation = ? AND rank BETWEEN ? AND ? AND status = ? ORDER BY rank DESC, id DESC LIMIT 1
      """, conversation, lower, upper, MessageStatus.sent)
  }

  /// Whether any message between two ranks is not deleted here.
  func hasMessages(in conversation: ConversationID, from lower: Rank, to upper: Rank) throws -> Bool {
    try scalar(
      Int.self,
      "SELECT 1 FROM message WHERE conversation = ? AND rank BETWEEN ? AND ? AND is_hidden = 0 LIMIT 1",
      conversation, lower, upper) != nil
  }

  // MARK: Unsent messages

  /// The rank of the last message when this one was composed; if there was none, that of the first message received
  /// afterwards, which has the higher row and is therefore below it.
  func rank(whereComposed row: MessageRow) throws -> Rank {
    let last = try scalar(
      Rank.self,
      """
      SELECT rank FROM message WHERE conversation = ? AND rank > ? AND rank < ? AND id < ?
      ORDER BY rank DESC LIMIT 1
      """, row.conversation, Rank.unplaced, Rank.firstUnsent, row.id)
    if let last { return last }
    return try scalar(
      Rank.self,
      """
      SELECT rank FROM message WHERE conversation = ? AND rank > ? AND rank < ? AND id > ?
        AND (status = ? OR failure_code = ?) ORDER BY id LIMIT 1
      """, row.conversation, Rank.unplaced, Rank.firstUnsent, row.id, MessageStatus.sent,
      SendFailure.Code.lost.rawValue) ?? .unplaced
  }

  /// Messages that failed before any message of their conversation was received.
  func unplacedMessages(of conversation: ConversationID) throws -> [MessageRow] {
    try select(
      MessageRow.self, "WHERE conversation = ? AND rank = ? ORDER BY id", conversation, Rank.unplaced)
  }

  /// The first message above a rank.
  func firstMessage(of conversation: ConversationID, above rank: Rank) throws -> MessageRow? {
    try first(
      MessageRow.self, "WHERE conversation = ? AND rank > ? ORDER BY rank, id LIMIT 1", conversation, rank)
  }

  /// The messages of all conversations that failed or may have arrived, in the order in which they were stored.
  func failedMessages() throws -> [MessageRow] {
    try select(MessageRow.self, "WHERE status > 2 AND is_hidden = 0 ORDER BY id")
  }

  /// The ids of a user's messages that the server may not have.
  func unsentMessageNames(of sender: UserID) throws -> [MessageID] {
    try rows(
      MessageID.self, "SELECT message_id FROM message WHERE sender = ? AND status <> ?", sender,
      MessageStatus.sent)
  }

  /// The number of a user's messages, and of pending actions, that would be lost with the database.
  func unsentCount(of sender: UserID) throws -> Int {
    try scalar(
      Int.self,
      """
      SELECT (SELECT count(*) FROM message WHERE sender = ? AND status <> ? AND is_hidden = 0)
        + (SELECT count(*) FROM operation WHERE kind IN (?, ?))
      """, sender, MessageStatus.sent, OperationRow.Kind.revise, OperationRow.Kind.leave) ?? 0
  }

  /// The messages that clearing a conversation removes: all but those waiting to be sent.
  func clearableMessages(of conversation: ConversationID) throws -> [MessageRow] {
    try select(
      MessageRow.self, "WHERE conversation = ? AND (rank < ? OR status IN (?, ?)) ORDER BY rank, id",
      conversation, Rank.firstUnsent, MessageStatus.uncertain, MessageStatus.failed)
  }
}
