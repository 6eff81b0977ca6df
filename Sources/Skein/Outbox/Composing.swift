import SkeinStorage

/// Stores messages and the operations that post them.
struct Composing {
  private let work: UnitOfWork
  private let openings: ConversationOpenings
  private let replies: Replies
  private let ends: MessageEnds

  init(_ work: UnitOfWork) {
    self.work = work
    openings = ConversationOpenings(work)
    replies = Replies(work)
    ends = MessageEnds(work)
  }

  /// Stores a message and the operation that will post it. A message that a participant rejected is stored as
  /// failed, without an operation.
  ///
  /// This method does not call the outbox: the outbox receives the operation with the changes that the commit
  /// publishes.
  ///
  /// - Parameters:
  ///   - target: a message that the server must have first. If that message fails, becomes uncertain or is
  ///     cancelled, the new message fails.
  ///   - replied: the message that the new message replies to. The server must have `replied` first, and
  ///     `target` is ignored.
  func compose(
    _ message: EncodedMessage, in conversation: ConversationID, after target: LocalMessageID? = nil,
    replyingTo replied: LocalMessageID? = nil
  ) throws -> MessageRow {
    try openings.checkOpen(conversation)
    let replied = try replied.map { try replies.repliable($0, in: conversation) }
    let target = try (replied?.id ?? target).flatMap { try ends.pendingMessage($0) }
    if message.rejection == nil, try work.row(of: conversation).ref == nil {
      try openings.queueOpening(of: conversation)
    }
    let operation = work.makeOperationID()
    var row = MessageRow(
      id: work.makeMessageID(), conversation: conversation, rank: Rank(unsent: operation), serverID: nil,
      messageID: message.messageID, sender: work.store.account, position: nil, epoch: work.account.epoch,
      time: work.store.clock.now, status: .queued, kind: message.kind, payload: message.payload,
      revision: 0, version: work.nextVersion, isCounted: false, failureCode: nil, failureMessage: nil,
      parameters: message.parameters, mentions: message.mentions)
    if let replied { try replies.relate(&row, to: replied) }
    try work.insert(row)
    if let rejection = message.rejection {
      try ends.fail(row.id, as: .failed, rejection)
      return row
    }
    try queueSend(
      of: row, as: operation, message.takesContent ? .forward : .send,
      needsPreparation: message.needsPreparation, isMedia: message.isMedia, dependsOn: target?.id)
    return row
  }

  /// Stores a copy of a message in a conversation. The copy gets the content of its source. If the source is
  /// still to be sent, the copy gets the content again once the source is sent, because the content may have
  /// changed. If a participant replaced the content, the copy gets the participant's content instead.
  func forward(_ copy: ForwardedCopy) throws -> MessageRow {
    let source = try work.rows.forwardable(copy.source)
    let isPending = try ends.pendingMessage(copy.source) != nil
    var message = copy.message
    if !copy.isReplaced {
      let attachments = work.store.kinds.decode(source.kind, source.payload).attachments ?? []
      // A file that another user's message refers to must not be uploaded from this device.
      guard isPending || attachments.allSatisfy({ $0.media != nil }) else {
        throw ChatError.attachmentElsewhere
      }
      message.kind = source.kind
      message.payload = source.payload
      message.takesContent = isPending
    }
    return try compose(message, in: copy.conversation, after: copy.source)
  }

  /// Puts a failed or uncertain message back at the end of its lane. A parked message keeps its place and is
  /// tried at once.
  ///
  /// - Parameter message: the new content of a failed message; nil for an uncertain or parked message, which
  ///   is sent unchanged.
  func retry(_ id: LocalMessageID, as message: EncodedMessage?) throws {
    var row = try work.rows.message(id)
    if var parked = try work.rows.operations(of: id).first(where: \.isParked) {
      parked.patience = Patience()
      return try work.requeue(parked)
    }
    if row.isHidden { throw ChatError(.messageUnknown, "This message was deleted on this device.") }
    guard row.status == .failed || row.status == .uncertain else {
      throw ChatError(
        .notPossibleNow, "Only a message that failed, is uncertain or is parked can be sent again.")
    }
    try openings.checkOpen(row.conversation)
    if let message {
      if let rejection = message.rejection { return try ends.fail(id, as: .failed, rejection) }
      row.kind = message.kind
      row.payload = message.payload
      row.parameters = message.parameters
      row.mentions = message.mentions
      // The message is posted as a new message. The server may have had the message before, so its edit time,
      // reactions and flags are dropped.
      row.state.forgetActions()
    }
    if try work.row(of: row.conversation).ref == nil { try openings.queueOpening(of: row.conversation) }
    let operation = work.makeOperationID()
    let kind: OperationRow.Kind = row.status == .uncertain ? .resend : .send
    row.rank = Rank(unsent: operation)
    row.status = .queued
    row.failure = nil
    try work.update(row)
    let attachments = work.store.kinds.decode(row.kind, row.payload).attachments ?? []
    try queueSend(
      of: row, as: operation, kind,
      needsPreparation: message?.needsPreparation ?? attachments.contains { $0.media == nil },
      isMedia: message?.isMedia ?? !attachments.isEmpty, dependsOn: try replies.pendingTarget(of: id))
    try PendingActionQueue(work).requeue(on: id)
  }

  private func queueSend(
    of row: MessageRow, as operation: OperationID, _ kind: OperationRow.Kind, needsPreparation: Bool,
    isMedia: Bool, dependsOn: LocalMessageID? = nil
  ) throws {
    try work.queue(
      OperationRow(
        id: operation, conversation: row.conversation, kind: kind, message: row.id, parameters: nil,
        needsPreparation: needsPreparation, attempts: 0, outcomeIsUnknown: false,
        queued: work.store.runtime.now(), dependsOn: dependsOn, isMedia: isMedia))
  }
}

/// A copy of a message, to be stored in a conversation.
struct ForwardedCopy: Sendable {
  let source: LocalMessageID
  let conversation: ConversationID
  /// Whether a participant replaced the source's content.
  let isReplaced: Bool
  let message: EncodedMessage
}

extension ChatError {
  static let attachmentElsewhere = ChatError(
    .notPossibleNow, "An attachment of the message is not on the server.")
}

extension ReadTransaction {
  /// Returns a message that can be copied, with the content that a waiting edit gives it; throws ``ChatError`` if the message
  /// is unknown, deleted on this device or recalled.
  func forwardable(_ id: LocalMessageID) throws -> MessageRow {
    var row = try message(id)
    if row.isHidden { throw ChatError(.messageUnknown, "This message was deleted on this device.") }
    if row.isRecalledHere { throw ChatError(.notPossibleNow, "A recalled message can't be forwarded.") }
    if let edit = PendingActions.decode(row.pending)?.edit {
      (row.kind, row.payload) = (edit.kind, edit.payload)
    }
    return row
  }
}
