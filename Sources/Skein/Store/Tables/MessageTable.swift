import SkeinStorage

/// Queries of the message table.
extension ReadTransaction {
  /// Returns the message with a local id. Throws if there is none, since the app may pass any id.
  func message(_ id: LocalMessageID) throws -> MessageRow {
    guard let row = try find(MessageRow.self, id) else {
      throw ChatError(.messageUnknown, "There is no such message in this database.")
    }
    return row
  }

  /// The row of a received message, found by its message id or its server id.
  func message(like message: IncomingMessage, in conversation: ConversationID) throws -> MessageRow? {
    try find(message, in: conversation).row
  }

  /// The row of a received message; nil if the message is not stored. In that case `sharesServerID` is true
  /// if the row of another message has the same server id.
  func find(_ message: IncomingMessage, in conversation: ConversationID) throws -> (
    row: MessageRow?, sharesServerID: Bool
  ) {
    if let id = message.messageID,
      let row = try self.message(named: id, by: message.sender, in: conversation)
    {
      return (row, false)
    }
    guard let server = message.serverID,
      let row = try first(MessageRow.self, "WHERE conversation = ? AND server_id = ?", conversation, server)
    else { return (nil, false) }
    // The row found by the server id is another message in each of these cases:
    // 1. The message ids differ, and the row's message id was not assigned here.
    // 2. The row is of an earlier epoch, and the senders differ.
    // 3. The row is of an earlier epoch, its message id was assigned here, and the times differ.
    let isNamed = message.messageID == nil || row.isNamedHere || row.messageID == message.messageID
    let isAtAnotherTime = row.isNamedHere && row.time != message.time
    let isAnother = row.rank.isEarlier && (row.sender != message.sender || isAtAnotherTime)
    return isNamed && !isAnother ? (row, false) : (nil, true)
  }

  /// Whether messages of a conversation are stored, including messages deleted here.
  func hasMessages(in conversation: ConversationID) throws -> Bool {
    try scalar(Int.self, "SELECT 1 FROM message WHERE conversation = ? LIMIT 1", conversation) != nil
  }

  /// Whether the states of absent messages are stored for a conversation; see `AbsentMessages`.
  func hasAbsentMessages(in conversation: ConversationID) throws -> Bool {
    try scalar(Int.self, "SELECT 1 FROM revised WHERE conversation = ? LIMIT 1", conversation) != nil
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
    // If `name` has a message id, the row found by the server id has a different message id. The row is then
    // another message, except if its message id was assigned here. A row of an earlier epoch may be another
    // message too.
    return (name.messageID == nil || row.isNamedHere) && !row.rank.isEarlier ? row : nil
  }

  private func message(named id: MessageID, by sender: UserID, in conversation: ConversationID) throws
    -> MessageRow?
  {
    try first(
      MessageRow.self, "WHERE conversation = ? AND sender = ? AND message_id = ?", conversation, sender, id)
  }

  /// Another row of the conversation with the same server id; nil if there is none.
  func duplicate(of row: MessageRow) throws -> MessageRow? {
    guard let server = row.serverID else { return nil }
    return try first(
      MessageRow.self, "WHERE conversation = ? AND server_id = ? AND id <> ?", row.conversation, server,
      row.id)
  }

  /// The place of a message with a server id; nil if the message is not stored or was deleted here.
  func place(of id: ServerMessageID, in conversation: ConversationID) throws -> MessageOrder? {
    try first(
      MessageRow.self, "WHERE conversation = ? AND server_id = ? AND is_hidden = 0", conversation, id)?.order
  }

  // MARK: Ends of a conversation

  /// The last message of a conversation by rank, sent or unsent, without messages deleted here.
  func lastMessage(of conversation: ConversationID) throws -> MessageRow? {
    try first(
      MessageRow.self, "WHERE conversation = ? AND is_hidden = 0 ORDER BY rank DESC, id DESC LIMIT 1",
      conversation)
  }

  /// The time of the last message of a conversation by rank, without messages that wait to be sent or are deleted here.
  func lastPlacedTime(in conversation: ConversationID) throws -> Timestamp? {
    try scalar(
      Timestamp.self,
      """
      SELECT time FROM message WHERE conversation = ? AND is_hidden = 0 AND rank < ?
      ORDER BY rank DESC, id DESC LIMIT 1
      """, conversation, Rank.firstUnsent)
  }

  /// The messages that the list of conversations shows as previews.
  func lastMessagesOfListedConversations() throws -> [MessageRow] {
    try select(
      MessageRow.self,
      """
      JOIN conversation ON conversation.last_message = message.id
      WHERE conversation.is_closed = 0 AND conversation.is_hidden = 0
      """)
  }

  /// The range from the place of a conversation's first message to the place of its last message, `last`.
  /// Messages deleted here are ignored. Nil if `last` is nil, or if no message is left.
  func storedMessages(of conversation: ConversationID, upTo last: MessageRow?) throws
    -> ClosedRange<MessageOrder>?
  {
    let first = try first(
      MessageRow.self, "WHERE conversation = ? AND is_hidden = 0 ORDER BY rank, id LIMIT 1", conversation)
    return first.flatMap { first in last.map { first.order...$0.order } }
  }

  /// The highest rank of a message at or below `rank`; nil if there is no such message. Messages of earlier
  /// epochs are included, messages of rank `Rank.unplaced` are not.
  func lastAcknowledged(in conversation: ConversationID, upTo rank: Rank = .firstUnsent.predecessor) throws
    -> Rank?
  {
    try scalar(
      Rank.self,
      "SELECT rank FROM message WHERE conversation = ? AND rank > ? AND rank <= ? ORDER BY rank DESC LIMIT 1",
      conversation, Rank.unplaced, rank)
  }

  /// The sent messages without a place, in their order.
  func floatingMessages(of conversation: ConversationID) throws -> [MessageRow] {
    try select(
      MessageRow.self, "WHERE conversation = ? AND rank >= ? AND status = ? ORDER BY rank, id",
      conversation, Rank.firstUnsent, MessageStatus.sent)
  }

  /// The sent messages between two ranks, both excluded, in order.
  func sentMessages(of conversation: ConversationID, between lower: Rank, _ upper: Rank) throws
    -> [MessageRow]
  {
    try select(
      MessageRow.self, "WHERE conversation = ? AND rank > ? AND rank < ? AND status = ? ORDER BY rank, id",
      conversation, lower, upper, MessageStatus.sent)
  }

  /// The place of a message in the current history; nil if the message is not stored or has no place yet.
  func placedRank(of server: ServerMessageID, in conversation: ConversationID) throws -> Rank? {
    try scalar(
      Rank.self,
      "SELECT rank FROM message WHERE conversation = ? AND server_id = ? AND rank >= 0 AND rank < ?",
      conversation, server, Rank.firstUnsent)
  }

  /// The server id and rank of the last message at or below a rank that has both; messages of earlier epochs have none.
  func lastNamed(in conversation: ConversationID, upTo rank: Rank) throws -> (ServerMessageID, Rank)? {
    try rows(
      (ServerMessageID.self, Rank.self),
      """
      SELECT server_id, rank FROM message
      WHERE conversation = ? AND rank >= 0 AND rank <= ? AND server_id IS NOT NULL ORDER BY rank DESC LIMIT 1
      """, conversation, rank
    ).first
  }

  /// The first messages of a conversation in order, at most `limit`, including those deleted here.
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

  /// The times of the last sent messages between two ranks, both included, newest first.
  func lastTimes(of conversation: ConversationID, from lower: Rank, to upper: Rank, limit: Int) throws
    -> [Timestamp]
  {
    try rows(
      Timestamp.self,
      """
      SELECT time FROM message WHERE conversation = ? AND rank BETWEEN ? AND ? AND status = ?
      ORDER BY rank DESC, id DESC LIMIT ?
      """, conversation, lower, upper, MessageStatus.sent, limit)
  }

  /// Whether there is a message between two ranks, both included, that was not deleted here.
  func hasMessages(in conversation: ConversationID, from lower: Rank, to upper: Rank) throws -> Bool {
    try scalar(
      Int.self,
      "SELECT 1 FROM message WHERE conversation = ? AND rank BETWEEN ? AND ? AND is_hidden = 0 LIMIT 1",
      conversation, lower, upper) != nil
  }

  // MARK: Unsent messages

  /// The rank for listing a failed message at the place where it was composed.
  ///
  /// The result is the first of these ranks that exists:
  /// 1. The highest rank of the messages stored before the failed message, without unsent and unplaced
  ///    messages.
  /// 2. The rank of the first message that was stored after the failed message, and that is sent or was lost
  ///    by the server. At this rank the failed message comes first, because its local id is lower.
  /// 3. `Rank.unplaced`.
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

  /// The messages of rank `Rank.unplaced`: they failed before any message of the conversation had a place.
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
    // `+id` prevents SQLite from using the index of the ids for the order: with this index, SQLite would read
    // every message.
    try select(MessageRow.self, "WHERE status > 2 AND is_hidden = 0 ORDER BY +id")
  }

  /// Selects the messages whose status is not `sent`, without reading all messages. Waiting messages are
  /// found by their operations, failed and uncertain messages by an index.
  private static let isUnsent = """
    id IN (SELECT message FROM operation WHERE message IS NOT NULL
      UNION ALL SELECT id FROM message WHERE status > 2) AND status <> 2
    """

  /// The message ids of a user's messages that are neither sent nor deleted here.
  func unsentMessageNames(of sender: UserID) throws -> [MessageID] {
    try rows(
      MessageID.self,
      "SELECT message_id FROM message WHERE sender = ? AND is_hidden = 0 AND \(Self.isUnsent)", sender)
  }

  /// The number of a user's unsent messages, plus the pending actions and the groups to leave. All of these
  /// would be lost with the database. Messages deleted here are not counted.
  func unsentCount(of sender: UserID) throws -> Int {
    try scalar(
      Int.self,
      """
      SELECT (SELECT count(*) FROM message WHERE sender = ? AND is_hidden = 0 AND \(Self.isUnsent))
        + (SELECT count(*) FROM operation WHERE kind IN (?, ?))
      """, sender, OperationRow.Kind.revise, OperationRow.Kind.leave) ?? 0
  }

  /// The messages that clearing a conversation removes or hides: all except those that wait to be sent.
  func clearableMessages(of conversation: ConversationID) throws -> [MessageRow] {
    try select(
      MessageRow.self, "WHERE conversation = ? AND (rank < ? OR status IN (?, ?, ?)) ORDER BY rank, id",
      conversation, Rank.firstUnsent, MessageStatus.sent, MessageStatus.uncertain, MessageStatus.failed)
  }
}
