#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Skein
import SkeinStorage
import Synchronization

/// A message as a device has stored it.
struct StoredMessage: Sendable {
  let id: MessageID
  let server: ServerMessageID?
  let isOwn: Bool
  let isHidden: Bool
  /// Whether an action on the message waits to be sent.
  let isTarget: Bool
}

/// The upload of a file as a device has stored it.
struct StoredUpload: Sendable {
  /// Whether the server has the file.
  var isComplete = false
  /// The token that continues the upload.
  var token: UploadToken?
}

/// Queries of the device's database.
extension Device {
  /// Reads the database, also while a process has it open.
  func inspect<T: Sendable>(_ body: @Sendable (ReadTransaction) throws -> T) throws -> T {
    let inspection = try state.withLock { state in
      let inspection = try state.inspection ?? Inspection(database)
      if state.client != nil { state.inspection = inspection }
      return inspection
    }
    return try inspection.read(body)
  }

  /// Whether the device has a contact row for a conversation's peer or group. The row may only record that
  /// the contact was removed, or the group left. A contact that was removed before the device fetched the
  /// contact list has no row, and `checkContacts` does not check chats with this contact.
  func hasKnownContact(of ref: ConversationRef) -> Bool {
    let rows = try? inspect { rows in
      try rows.scalar(
        Int.self,
        """
        SELECT count(*) FROM contact JOIN conversation ON contact.id IN ('user ' || peer, 'group ' || ref)
        WHERE ref = ?
        """, ref.rawValue)
    }
    return (rows ?? 0) > 0
  }

  /// Whether the database holds an operation for a message, or the message needs no operation. A sent message
  /// needs none, and an uncertain message that was cancelled during an attempt needs none either.
  func isStored(_ id: MessageID) -> Bool {
    let rows = try? inspect { rows in
      try rows.scalar(
        Int.self,
        """
        SELECT count(*) FROM message
        WHERE message_id = ? AND (status IN (2, 4) OR id IN (SELECT message FROM operation))
        """, id)
    }
    return (rows ?? 0) > 0
  }

  /// The upload of a file according to the database.
  func storedUpload(of source: UploadSource) -> StoredUpload {
    let rows = try? inspect { rows in
      try rows.rows(
        (Bool.self, String?.self), "SELECT media IS NOT NULL, token FROM upload WHERE hash = ? AND type = ?",
        source.hash, source.type)
    }
    guard let (isComplete, token) = rows?.first else { return StoredUpload() }
    return StoredUpload(isComplete: isComplete, token: token.map(UploadToken.init(rawValue:)))
  }

  /// The messages that the server has exactly once; a client shows only one copy of a duplicate.
  static func single(_ messages: [IncomingMessage]) -> [IncomingMessage] {
    struct Name: Hashable {
      let sender: UserID
      let id: MessageID?
    }
    var counts: [Name: Int] = [:]
    func name(_ message: IncomingMessage) -> Name { Name(sender: message.sender, id: message.messageID) }
    for message in messages { counts[name(message), default: 0] += 1 }
    return messages.filter { counts[name($0)] == 1 }
  }

  /// The position up to which a conversation is cleared on this device, at most the limit of the requested
  /// clears.
  func cleared(_ ref: ConversationRef) -> Int64 {
    let floor = try? inspect { [server] rows in
      guard
        let (id, floor) = try rows.rows(
          (Int64.self, Int64.self), "SELECT id, floor FROM conversation WHERE ref = ?", ref.rawValue
        ).first
      else { return Int64(0) }
      return try server.order.number(upTo: floor, in: id, rows)
    }
    return min(floor ?? 0, clears.limit(of: ref))
  }

  /// Whether a sent message is visible, and may stay visible in the cleared range of its chat. False if the
  /// message's rank is from an earlier epoch.
  ///
  /// A message may stay visible if the chat was cleared while the message was unsent, or while its outcome
  /// was unknown.
  func hasKept(_ message: IncomingMessage) -> Bool {
    guard let id = message.messageID,
      ledger.attempts(of: id, from: name)?.wasUnknown == true || ledger.wasAbandoned(id, on: name)
    else { return false }
    let row = try? inspect { rows in
      try rows.scalar(
        Int.self,
        """
        SELECT count(*) FROM message
        WHERE message_id = ? AND sender = ? AND is_hidden = 0 AND rank >= 0 AND status = ?
        """, id, user, MessageStatus.sent)
    }
    return row == 1
  }

  /// The sent messages of a chat whose place in the history is not known here.
  func floating(in chat: ConversationID) -> Set<ServerMessageID> {
    let rows = try? inspect { rows in
      try rows.rows(
        ServerMessageID.self,
        "SELECT server_id FROM message WHERE conversation = ? AND status = ? AND rank >= ? AND server_id NOT NULL",
        chat, MessageStatus.sent, Rank.firstUnsent)
    }
    return Set(rows ?? [])
  }

  /// The members of a conversation, as stored here.
  func members(of ref: ConversationRef) -> Set<String> {
    let rows = try? inspect { rows in
      try rows.rows(
        String.self,
        "SELECT user FROM member JOIN conversation ON conversation.id = member.conversation WHERE ref = ?",
        ref.rawValue)
    }
    return Set(rows ?? [])
  }

  /// The messages of a chat, with their ids here and on the server.
  func stored(in chat: ConversationID) -> [StoredMessage] {
    let rows = try? inspect { rows in
      try rows.rows(
        (MessageID.self, ServerMessageID?.self, UserID.self, Bool.self, Bool.self),
        """
        SELECT message_id, server_id, sender, is_hidden, id IN (SELECT target FROM operation WHERE target IS NOT NULL)
        FROM message WHERE conversation = ?
        """, chat)
    }
    return (rows ?? []).map {
      StoredMessage(id: $0.0, server: $0.1, isOwn: $0.2 == user, isHidden: $0.3, isTarget: $0.4)
    }
  }

  /// All stored chats, for the trace: read marks, cleared ranges, unread counts, complete spans, and each
  /// message with its rank and status.
  var contents: [String] {
    let contents = try? inspect { rows in
      let chats = try rows.rows(
        (Int64.self, String?.self, Int64.self, Int64?.self, Int64.self, Int64.self),
        "SELECT id, ref, read_mark, pending_read_mark, floor, unread_count FROM conversation ORDER BY id")
      let spans = try rows.rows(
        (Int64.self, Int64.self, Int64.self, Bool.self),
        "SELECT conversation, lower, upper, reaches_start FROM span ORDER BY conversation, lower")
      let messages = try rows.rows(
        (Int64.self, Int64.self, MessageKind.self, Data.self, MessageStatus.self, String?.self, Bool.self),
        """
        SELECT conversation, rank, kind, payload, status, failure_code, is_hidden FROM message
        ORDER BY conversation, rank, id
        """)
      return chats.map { chat, ref, mark, pending, floor, unread in
        "\(chat) \(ref ?? "unnamed"): read to \(mark), to tell \(pending ?? 0), cleared to \(floor), \(unread) unread"
      }
        + spans.map { "\($0) \($3 ? "from the start," : "") \($1) to \($2)" }
        + messages.map { chat, rank, kind, payload, status, failure, isHidden in
          "\(chat) \(rank) \(Token.of(kind, payload) ?? "?") \(status.rawValue) \(failure ?? "")"
            + (isHidden ? " hidden" : "")
        }
    }
    return contents ?? []
  }

  /// Whether a chat has visible messages from an earlier epoch. Their ranks are below those of the server's
  /// history.
  func hasMessagesOfEarlierEpochs(in chat: ConversationID) -> Bool {
    let row = try? inspect { rows in
      try rows.scalar(
        Int.self, "SELECT 1 FROM message WHERE conversation = ? AND rank < -1 AND is_hidden = 0 LIMIT 1", chat
      )
    }
    return row ?? nil != nil
  }

  /// The server id of the oldest visible message of a chat; messages without a server id are ignored.
  func oldest(in chat: ConversationID) -> ServerMessageID? {
    let row = try? inspect { rows in
      try rows.scalar(
        ServerMessageID.self,
        """
        SELECT server_id FROM message WHERE conversation = ? AND server_id IS NOT NULL AND is_hidden = 0
        ORDER BY rank, id LIMIT 1
        """, chat)
    }
    return row ?? nil
  }

  /// The server ids of messages that are known to have a flag, even if the messages are not stored.
  func flagged(_ flag: MessageFlag, in chat: ConversationID) -> [ServerMessageID] {
    let rows = try? inspect { rows in
      try rows.rows(
        ServerMessageID.self,
        """
        SELECT server_id FROM message
        WHERE conversation = ?1 AND instr(CAST(flags AS TEXT), ?2) AND is_hidden = 0 AND rank >= -1
        UNION ALL SELECT server_id FROM revised WHERE conversation = ?1 AND instr(CAST(flags AS TEXT), ?2)
        """, chat, "\"\(flag.rawValue)\"")
    }
    return rows ?? []
  }

  /// The server ids of messages that were deleted on this device, except messages in cleared ranges.
  var hidden: Set<String> {
    let rows = try? inspect { rows in
      try rows.rows(
        String.self,
        """
        SELECT server_id FROM message JOIN conversation ON conversation.id = message.conversation
        WHERE message.is_hidden = 1 AND server_id IS NOT NULL AND rank > floor
        """)
    }
    return Set(rows ?? [])
  }

  /// The message ids of all hidden rows. After a server reset, these rows have no server ids until their messages are
  /// returned.
  var hiddenNames: Set<MessageID> {
    let rows = try? inspect { rows in
      try rows.rows(MessageID.self, "SELECT message_id FROM message WHERE is_hidden = 1")
    }
    return Set(rows ?? [])
  }

  /// The uncertain messages on which operations depend. A message can't be sent again if the server has
  /// refused a later attempt, or if the message replies to a failed or uncertain message.
  var undecided: [(id: LocalMessageID, name: MessageID, canBeSentAgain: Bool)] {
    let rows = try? inspect { rows in
      try rows.rows(
        (LocalMessageID.self, MessageID.self, Bool.self),
        """
        SELECT id, message_id, failure_code IS NOT ?1 AND NOT EXISTS (
          SELECT 1 FROM reply JOIN message AS original ON original.id = reply.target
          WHERE reply.message = message.id AND original.status IN (?2, ?3))
        FROM message WHERE status = ?2 AND id IN (SELECT depends_on FROM operation)
        """, SendFailure.Code.refused.rawValue, MessageStatus.uncertain, MessageStatus.failed)
    }
    return (rows ?? []).map { ($0.0, $0.1, $0.2) }
  }
}
