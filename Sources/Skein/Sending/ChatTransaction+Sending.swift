#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage

/// What a message is made of before it has a row.
struct Draft: Sendable {
  let messageID: MessageID
  let kind: MessageKind
  let payload: Data
  let needsPreparation: Bool
  /// Whether it has attachments: others may pass it while they are on their way.
  var isMedia = false
}

extension ChatTransaction {
  /// Stores a message and the operation that will post it: from here on it can't get lost.
  func compose(_ draft: Draft, in conversation: ConversationID) throws -> MessageRow {
    if try self.conversation(conversation).ref == nil { try queueOpening(of: conversation) }
    let operation = makeOperationID()
    let row = MessageRow(
      id: makeMessageID(), conversation: conversation, rank: Rank(unsent: operation), serverID: nil,
      messageID: draft.messageID, sender: store.account, position: nil, epoch: account.epoch,
      time: store.runtime.now(), status: .queued, kind: draft.kind, payload: draft.payload, revision: 0,
      version: nextVersion, isCounted: false, failureCode: nil, failureMessage: nil)
    try insert(row)
    try queueSend(
      of: row, as: operation, needsPreparation: draft.needsPreparation, isMedia: draft.isMedia)
    return row
  }

  /// Puts a failed or uncertain message back at the end of its lane.
  func retry(_ id: LocalMessageID) throws {
    guard var row = try rows.find(MessageRow.self, id) else {
      throw ChatError(.messageUnknown, "There is no such message in this database.")
    }
    guard row.status == .failed || row.status == .uncertain else {
      throw ChatError(.notPossibleNow, "Only a message that failed or is uncertain can be sent again.")
    }
    if try self.conversation(row.conversation).ref == nil { try queueOpening(of: row.conversation) }
    let operation = makeOperationID()
    row.rank = Rank(unsent: operation)
    row.status = .queued
    row.failure = nil
    try update(row)
    let attachments = store.kinds.decode(row.kind, row.payload).attachments ?? []
    try queueSend(
      of: row, as: operation, needsPreparation: attachments.contains { $0.media == nil },
      isMedia: !attachments.isEmpty)
  }

  /// Messages that an earlier run of the app left in the middle of an attempt wait for their next one.
  func recoverSends() throws {
    let interrupted = try rows.select(
      OperationRow.self,
      "WHERE message IN (SELECT id FROM message WHERE status = ?) ORDER BY id", MessageStatus.sending)
    for operation in interrupted { try postpone(operation.id, outcomeIsUnknown: nil) }
  }

  /// Begins an attempt: what it sends is fixed from here on. Nil where the operation is done with.
  ///
  /// - Parameter repeatsUnknown: whether the server knows a message again whose last attempt may have reached it;
  ///   where it does not, such a message is not posted twice unasked.
  func begin(_ id: OperationID, repeatsUnknown: Bool) throws -> (OperationRow, MessageRow?)? {
    guard var operation = try rows.find(OperationRow.self, id) else { return nil }
    guard let message = operation.message else { return (operation, nil) }
    guard var row = try rows.find(MessageRow.self, message), row.status != .sent else {
      try end(id)
      return nil
    }
    guard repeatsUnknown || !operation.outcomeIsUnknown else {
      let failure = SendFailure(.outcomeUnknown, "It may have arrived; the server can't tell.")
      try giveUp(id, as: .uncertain, failure)
      return nil
    }
    operation.attempts += 1
    operation.outcomeIsUnknown = true
    _ = try rows.update(operation)
    if row.status != .sending {
      row.status = .sending
      try update(row)
    }
    return (operation, row)
  }

  /// Begins to get a message ready. Nil where the operation is done with.
  func beginPreparing(_ id: OperationID) throws -> MessageRow? {
    guard let operation = try rows.find(OperationRow.self, id), operation.needsPreparation,
      let message = operation.message, var row = try rows.find(MessageRow.self, message)
    else { return nil }
    if row.status != .sending {
      row.status = .sending
      try update(row)
    }
    return row
  }

  /// One attachment is on the media server: the content names it there, once for all attempts.
  func prepared(_ id: OperationID, payload: Data, isComplete: Bool) throws {
    guard var operation = try rows.find(OperationRow.self, id), let message = operation.message,
      var row = try rows.find(MessageRow.self, message)
    else { return }
    row.payload = payload
    try update(row)
    operation.needsPreparation = !isComplete
    _ = try rows.update(operation)
  }

  /// The server has the message. It may know no more than that, and sync may have told it before.
  func acknowledge(_ id: OperationID, _ receipt: SendReceipt) throws {
    let operation = try rows.find(OperationRow.self, id)
    try end(id)
    guard let message = operation?.message, var row = try rows.find(MessageRow.self, message) else { return }
    row.status = .sent
    row.failure = nil
    row.serverID = receipt.serverID ?? row.serverID
    row.time = receipt.time ?? row.time
    if let position = receipt.position {
      row.position = position
      row.rank = Rank(position)
      row.epoch = account.epoch
    }
    try absorbTwin(of: row)
    try update(row)
  }

  /// The server holds another message under the id: what it holds is what was sent.
  func adopt(_ id: OperationID, _ stored: IncomingMessage) throws {
    guard let operation = try rows.find(OperationRow.self, id), let message = operation.message,
      var row = try rows.find(MessageRow.self, message)
    else { return }
    if let position = stored.position { return try merge(stored, at: position, into: row) }
    row.kind = stored.kind
    row.payload = stored.payload
    try update(row)
    try acknowledge(id, SendReceipt(serverID: stored.serverID, time: stored.time))
  }

  /// The attempt failed for now: the message waits for the next one.
  func postpone(_ id: OperationID, outcomeIsUnknown: Bool?) throws {
    guard var operation = try rows.find(OperationRow.self, id) else { return }
    operation.outcomeIsUnknown = outcomeIsUnknown ?? operation.outcomeIsUnknown
    _ = try rows.update(operation)
    guard let message = operation.message, var row = try rows.find(MessageRow.self, message),
      row.status == .sending
    else { return }
    row.status = .queued
    try update(row)
  }

  /// The operation will not be tried again by itself; its message says why and stays where it was composed.
  func giveUp(_ id: OperationID, as status: MessageStatus, _ failure: SendFailure) throws {
    guard let operation = try rows.find(OperationRow.self, id) else { return }
    try end(id)
    if let message = operation.message {
      try fail(message, as: status, failure)
    } else {
      try change(operation.conversation) { $0.refusal = failure.message }
      // Nothing can be sent where there is no conversation.
      let blocked = try rows.select(
        OperationRow.self, "WHERE conversation = ? ORDER BY id", operation.conversation)
      for next in blocked { try giveUp(next.id, as: status, failure) }
    }
  }

  private func fail(_ id: LocalMessageID, as status: MessageStatus, _ failure: SendFailure) throws {
    guard var row = try rows.find(MessageRow.self, id), row.status != .sent else { return }
    row.status = status
    row.failure = failure
    if status == .failed { row.rank = try rows.rank(whereComposed: row) }
    try update(row)
  }

  private func queueSend(
    of row: MessageRow, as operation: OperationID, needsPreparation: Bool, isMedia: Bool
  ) throws {
    try queue(
      OperationRow(
        id: operation, conversation: row.conversation, kind: .send, message: row.id, parameters: nil,
        needsPreparation: needsPreparation, attempts: 0, outcomeIsUnknown: false,
        queued: store.runtime.now(), isMedia: isMedia))
  }
}

extension ReadTransaction {
  /// The rank of the message that was the last one when this one was composed; where there was none, that of the first
  /// one that came afterwards, which has the higher row and so comes after it.
  func rank(whereComposed row: MessageRow) throws -> Rank {
    let last = try scalar(
      Rank.self,
      "SELECT rank FROM message WHERE conversation = ? AND rank < ? AND id < ? ORDER BY rank DESC LIMIT 1",
      row.conversation, Rank.firstUnsent, row.id)
    if let last { return last }
    return try scalar(
      Rank.self,
      "SELECT rank FROM message WHERE conversation = ? AND rank < ? AND id > ? ORDER BY id LIMIT 1",
      row.conversation, Rank.firstUnsent, row.id) ?? .lowest.successor
  }

  /// The rank of the last message of a conversation that has its place, up to a rank.
  func lastAcknowledged(in conversation: ConversationID, upTo rank: Rank = .firstUnsent.predecessor) throws
    -> Rank?
  {
    try scalar(
      Rank.self, "SELECT rank FROM message WHERE conversation = ? AND rank <= ? ORDER BY rank DESC LIMIT 1",
      conversation, rank)
  }
}

extension StoredContent {
  /// The attachments of a content that can be read; nil for one that can't.
  var attachments: [MessageAttachment]? {
    if case .known(let content) = self { content.allAttachments } else { nil }
  }
}
