import SkeinStorage

/// Queries of the message table.
extension ReadTransaction {
  /// Returns the message with a local id; throws if there is none, since the app may pass any id.
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
    // A row with another message id is another message, unless its message id was assigned here. A row of an
    // earlier epoch is another message if its sender differs, or if its message id was assigned here and its
    // time differs.
    let isNamed = message.messageID == nil || row.isNamedHere || row.messageID == message.messageID
    let isAtAnotherTime = row.isNamedHere && row.time != message.time
    let isAnother = row.rank.isEarlier && (row.sender != message.sender || isAtAnotherTime)
    return isNamed && !isAnother ? row : nil
  }

  /// The row of a message that the server refers to, found by its message id or its server id.
  func message(named name: MessageReference, in conversation: ConversationID) throws -> MessageRow? {
    if let id = name.messageID, let row = try message(named: id, by: name.sender, in: conversation) {
      return row
    }
    guard let server = name.serverID,
      let row = try first(
        MessageRow.self, "WHERE conversation = ? AND server_id = ? AND sender = ?", conversation, server,
        name.sender)
    else { return nil }
    // A row with another message id is another message, unless its message id was assigned here. A row of an
    // earlier epoch may be another message too.
    return (name.messageID == nil || row.isNamedHere) && !row.rank.isEarlier ? row : nil
  }

  private func message(named id: MessageID, by sender: UserID, in conversation: ConversationID) throws
    -> MessageRow?
  {
    try first(
      MessageRow.self, "WHERE conversation = ? AND sender = ? AND message_id = ?", conversation, sender, id)
  }

  /// Another row with the same server id.
  func duplicate(of row: MessageRow) throws -> MessageRow? {
    guard let server = row.serverID else { return nil }
    return try first(
      MessageRow.self, "WHERE conversation = ? AND server_id = ? AND id <> ?", row.conversation, server,
      row.id)
  }

  /// The place of a message with a server id; nil if it is not stored, or was deleted here.
  func place(of id: ServerMessageID, in conversation: ConversationID) throws -> MessageOrder? {
    try first(
      MessageRow.self, "WHERE conversation = ? AND server_id = ? AND is_hidden = 0", conversation, id)?.order
  }

  // MARK: Ends of a conversation

  /// The newest message of a conversation, sent or unsent, without those deleted here.
  func lastMessage(of conversation: ConversationID) throws -> MessageRow? {
    try first(
      MessageRow.self, "WHERE conversation = ? AND is_hidden = 0 ORDER BY rank DESC, id DESC LIMIT 1",
      conversation)
  }

  /// The places of a conversation's first message and of its last message, `last`, without those deleted
  /// here. Nil if there is none.
  func storedMessages(of conversation: ConversationID, upTo last: MessageRow?) throws
    -> ClosedRange<MessageOrder>?
  {
    let first = try first(
      MessageRow.self, "WHERE conversation = ? AND is_hidden = 0 ORDER BY rank, id LIMIT 1", conversation)
    return first.flatMap { first in last.map { first.order...$0.order } }
  }

  /// The highest rank of a message at or below `rank`, earlier epochs included; nil if there is none. Messages of
  /// rank `Rank.unplaced` are ignored.
  func lastAcknowledged(in conversation: ConversationID, upTo rank: Rank = .firstUnsent.predecessor) throws
    -> Rank?
  {
    try scalar(
      Rank.self,
      "SELECT rank FROM message WHERE conversation = ? AND rank > ? AND rank <= ? ORDER BY rank DESC LIMIT 1",
      conversation, Rank.unplaced, rank)
  }

  /// All messages of a conversation in order, including those deleted here.
  func messages(of conversation: ConversationID, limit: Int = .max) throws -> [MessageRow] {
    try select(MessageRow.self, "WHERE conversation = ? ORDER BY rank, id LIMIT ?", conversation, limit)
  }

  // MARK: Pages

  /// Messages below a place and at or above a rank, the highest first, without those deleted here.
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

  /// Messages above a place and at or below a rank, the lowest first, without those deleted here.
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

  /// The first sent message between two ranks, both included.
  func firstMessage(of conversation: ConversationID, from lower: Rank, to upper: Rank) throws -> MessageRow? {
    try first(
      MessageRow.self,
      "WHERE conversation = ? AND rank BETWEEN ? AND ? AND status = ? ORDER BY rank, id LIMIT 1",
      conversation, lower, upper, MessageStatus.sent)
  }

  /// The last sent message between two ranks, both included.
  func lastMessage(of conversation: ConversationID, from lower: Rank, to upper: Rank) throws -> MessageRow? {
    try first(
      MessageRow.self,
      """
      WHERE conversation = ? AND rank BETWEEN ? AND ? AND status = ? ORDER BY rank DESC, id DESC LIMIT 1
      """, conversation, lower, upper, MessageStatus.sent)
  }

  /// Whether there is a message between two ranks, both included, that was not deleted here.
  func hasMessages(in conversation: ConversationID, from lower: Rank, to upper: Rank) throws -> Bool {
    try scalar(
      Int.self,
      "SELECT 1 FROM message WHERE conversation = ? AND rank BETWEEN ? AND ? AND is_hidden = 0 LIMIT 1",
      conversation, lower, upper) != nil
  }

  // MARK: Unsent messages

  /// The rank for listing a failed message where it was composed.
  ///
  /// It is the highest rank among the messages that were stored at that time, without unsent and unplaced
  /// messages. If none was stored, it is the rank of the first message received afterwards. At this rank the
  /// composed message comes first, because its local id is lower. If none was received either, it is
  /// `Rank.unplaced`.
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

  /// The failed and uncertain messages of all conversations, in the order in which they were stored, without
  /// those deleted here.
  func failedMessages() throws -> [MessageRow] {
    try select(MessageRow.self, "WHERE status > 2 AND is_hidden = 0 ORDER BY id")
  }

  /// The message ids of a user's messages that are not known to be sent.
  func unsentMessageNames(of sender: UserID) throws -> [MessageID] {
    try rows(
      MessageID.self, "SELECT message_id FROM message WHERE sender = ? AND status <> ?", sender,
      MessageStatus.sent)
  }

  /// The number of a user's unsent messages, plus the pending actions and the groups to leave. All of these
  /// would be lost with the database. Messages deleted here are not counted.
  func unsentCount(of sender: UserID) throws -> Int {
    try scalar(
      Int.self,
      """
      SELECT (SELECT count(*) FROM message WHERE sender = ? AND status <> ? AND is_hidden = 0)
        + (SELECT count(*) FROM operation WHERE kind IN (?, ?))
      """, sender, MessageStatus.sent, OperationRow.Kind.revise, OperationRow.Kind.leave) ?? 0
  }

  /// The messages that clearing a conversation removes: all but those that wait to be sent, or were sent and have no
  /// place in the history yet.
  func clearableMessages(of conversation: ConversationID) throws -> [MessageRow] {
    try select(
      MessageRow.self, "WHERE conversation = ? AND (rank < ? OR status IN (?, ?)) ORDER BY rank, id",
      conversation, Rank.firstUnsent, MessageStatus.uncertain, MessageStatus.failed)
  }
}
