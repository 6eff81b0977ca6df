#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage

/// What a message is made of, before it has a row or where it is sent again.
struct Draft: Sendable {
  let messageID: MessageID
  var kind: MessageKind
  var payload: Data
  var parameters: Data?
  /// Whom it calls, as it is stored.
  var mentions: Data? = nil
  let needsPreparation: Bool
  /// Whether it has attachments: others may pass it while they are on their way.
  var isMedia = false
  /// Whether the content is that of the message it depends on, once that is sent.
  var takesContent = false
  /// Why it is stored as failed, and not to be posted.
  var rejection: SendFailure?
  /// Keeps its files from being taken for unneeded, until the message is stored that they belong to.
  var copying: FileLock?
}

/// What an attempt does.
enum Attempt: Sendable {
  case open(OperationRow)
  case leave(OperationRow)
  /// `epoch`: the life of the server's history that the names are of.
  case revise(OutgoingRevision, epoch: Epoch?)
  /// `before`: the operation as it was; an attempt before this one may have reached the server.
  case post(MessageRow, replyTo: MessageReference?, before: OperationRow)
  /// It may be on the server, and must not be posted twice.
  case lookUp(MessageRow)
}

extension ChatTransaction {
  /// Stores a message and the operation that will post it: from here on it can't get lost.
  ///
  /// - Parameters:
  ///   - target: the message that the server must have first; where that fails, this one fails for its reason.
  ///   - replied: the message that this one replies to; the server must have that first as well.
  func compose(
    _ draft: Draft, in conversation: ConversationID, after target: LocalMessageID? = nil,
    replyingTo replied: LocalMessageID? = nil
  ) throws -> MessageRow {
    try checkOpen(conversation)
    let replied = try replied.map { try repliable($0, in: conversation) }
    let target = try (replied?.id ?? target).flatMap { try pending($0) }
    if draft.rejection == nil, try self.conversation(conversation).ref == nil {
      try queueOpening(of: conversation)
    }
    let operation = makeOperationID()
    var row = MessageRow(
      id: makeMessageID(), conversation: conversation, rank: Rank(unsent: operation), serverID: nil,
      messageID: draft.messageID, sender: store.account, position: nil, epoch: account.epoch,
      time: store.clock.now, status: .queued, kind: draft.kind, payload: draft.payload, revision: 0,
      version: nextVersion, isCounted: false, failureCode: nil, failureMessage: nil,
      parameters: draft.parameters, mentions: draft.mentions)
    if let replied { try relate(&row, to: replied) }
    try insert(row)
    if let rejection = draft.rejection {
      try fail(row.id, as: .failed, rejection)
      return row
    }
    try queueSend(
      of: row, as: operation, draft.takesContent ? .forward : .send,
      needsPreparation: draft.needsPreparation, isMedia: draft.isMedia, dependsOn: target?.id)
    return row
  }

  /// Puts a failed or uncertain message back at the end of its lane; a parked one has its place already.
  ///
  /// - Parameter draft: what becomes of a failed message; what may be on the server goes as it is.
  func retry(_ id: LocalMessageID, as draft: Draft? = nil) throws {
    var row = try rows.message(id)
    if let parked = try rows.operations(of: id).first(where: \.isParked) { return try unpark(parked) }
    if row.isHidden { throw ChatError(.messageUnknown, "This message was deleted on this device.") }
    guard row.status == .failed || row.status == .uncertain else {
      throw ChatError(
        .notPossibleNow, "Only a message that failed, is uncertain or is parked can be sent again.")
    }
    try checkOpen(row.conversation)
    let draft = row.status == .failed ? draft : nil
    if row.status == .failed {
      guard let draft else {
        throw ChatError(.notPossibleNow, "It has failed only just now; it can be sent again from here on.")
      }
      if let rejection = draft.rejection { return try fail(id, as: .failed, rejection) }
      row.kind = draft.kind
      row.payload = draft.payload
      row.parameters = draft.parameters
      row.mentions = draft.mentions
      // What was done to it before it was lost is done to no message of the server's.
      (row.revision, row.edited, row.reactions, row.pinned) = (0, nil, nil, nil)
    }
    if try self.conversation(row.conversation).ref == nil { try queueOpening(of: row.conversation) }
    let operation = makeOperationID()
    let kind: OperationRow.Kind = row.status == .uncertain ? .resend : .send
    row.rank = Rank(unsent: operation)
    row.status = .queued
    row.failure = nil
    try update(row)
    let attachments = store.kinds.decode(row.kind, row.payload).attachments ?? []
    try queueSend(
      of: row, as: operation, kind,
      needsPreparation: draft?.needsPreparation ?? attachments.contains { $0.media == nil },
      isMedia: !attachments.isEmpty, dependsOn: try pendingReplyTarget(of: id))
    try waitAgain(for: id)
  }

  /// Nothing is sent where nobody is reached.
  func checkOpen(_ id: ConversationID) throws {
    if try conversation(id).isClosed {
      throw ChatError(.conversationClosed, "Its contact was removed, or the group was left.")
    }
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
  /// - Parameter mayRepeat: whether the server knows a message again whose last attempt may have reached it; where it
  ///   does not, such a message is looked for before anything else.
  func begin(_ id: OperationID, mayRepeat: Bool) throws -> Attempt? {
    guard var operation = try rows.find(OperationRow.self, id) else { return nil }
    switch operation.kind {
    case .open: return .open(operation)
    case .leave: return .leave(operation)
    case .revise: return try beginRevising(operation).map { .revise($0, epoch: account.epoch) }
    case .send, .resend, .forward: break
    }
    guard let message = operation.message, var row = try rows.find(MessageRow.self, message),
      row.status != .sent
    else {
      try end(id)
      return nil
    }
    if row.status != .sending || row.epoch != account.epoch {
      row.status = .sending
      row.epoch = account.epoch
      try update(row)
    }
    let before = operation
    if before.outcomeIsUnknown, !mayRepeat { return .lookUp(row) }
    operation.attempts += 1
    operation.outcomeIsUnknown = true
    _ = try rows.update(operation)
    return .post(row, replyTo: try replyTarget(of: message), before: before)
  }

  /// The server has the message. It may know no more than that, and sync may have told it before.
  func acknowledge(_ message: LocalMessageID, _ receipt: SendReceipt) throws {
    guard var row = try rows.find(MessageRow.self, message) else { return }
    if receipt.epoch ?? row.epoch == row.epoch { try check(row.epoch) }
    let isNews = row.status != .sent
    row.status = .sent
    row.failure = nil
    row.time = receipt.time ?? row.time
    // What is sent before the first sync is of the history that this one tells of.
    account.epoch = account.epoch ?? receipt.epoch
    row.epoch = receipt.epoch ?? account.epoch
    // Of another history's places nothing is known yet: sync tells.
    if row.epoch == account.epoch {
      row.serverID = receipt.serverID ?? row.serverID
      if let rank = store.rank(receipt.position) { (row.position, row.rank) = (receipt.position, rank) }
      // Others may have done something to it before its sender knew that it is there.
      if let kept = try forgetRevised(row.serverID, in: row.conversation) { row.take(kept) }
      if row.isRecalled { try dropRevisions(of: &row) }
    }
    try absorbTwin(of: &row)
    try update(row)
    if isNews { noteEnd(of: row, as: .sent) }
    try settle(row)
  }

  /// The server holds another message under the id: what it holds is what was sent.
  func adopt(_ message: LocalMessageID, _ stored: IncomingMessage) throws {
    guard var row = try rows.find(MessageRow.self, message) else { return }
    try check(row.epoch)
    if let rank = store.rank(stored.position) { return try merge(stored, at: rank, into: row) }
    row.kind = stored.kind
    row.payload = stored.payload
    if row.isRecalled { (row.quote, row.isMention) = (nil, false) }
    if let parameters = stored.parameters { row.parameters = StoredParameters.encode(parameters) }
    try update(row)
    try acknowledge(message, SendReceipt(serverID: stored.serverID, time: stored.time))
  }

  private func queueSend(
    of row: MessageRow, as operation: OperationID, _ kind: OperationRow.Kind, needsPreparation: Bool,
    isMedia: Bool, dependsOn: LocalMessageID? = nil
  ) throws {
    try queue(
      OperationRow(
        id: operation, conversation: row.conversation, kind: kind, message: row.id, parameters: nil,
        needsPreparation: needsPreparation, attempts: 0, outcomeIsUnknown: false,
        queued: store.runtime.now(), dependsOn: dependsOn, isMedia: isMedia))
  }
}

extension ReadTransaction {
  /// The message of an id that an app named.
  func message(_ id: LocalMessageID) throws -> MessageRow {
    guard let row = try find(MessageRow.self, id) else {
      throw ChatError(.messageUnknown, "There is no such message in this database.")
    }
    return row
  }

  /// The rank of the message that was the last one when this one was composed; where there was none, that of the first
  /// one that came afterwards, which has the higher row and so comes after it.
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

  /// The rank of the last message of a conversation that has its place, up to a rank.
  func lastAcknowledged(in conversation: ConversationID, upTo rank: Rank = .firstUnsent.predecessor) throws
    -> Rank?
  {
    try scalar(
      Rank.self,
      "SELECT rank FROM message WHERE conversation = ? AND rank > ? AND rank <= ? ORDER BY rank DESC LIMIT 1",
      conversation, Rank.unplaced, rank)
  }
}

extension StoredContent {
  /// The attachments of a content that can be read; nil for one that can't.
  var attachments: [MessageAttachment]? {
    if case .known(let content) = self { content.allAttachments } else { nil }
  }
}
