import SkeinStorage

/// Merges messages from the server into their stored rows. The messages come from syncs, pushes and pages
/// (`Intake`, `AbsentMessages`), from posts and look-ups that find the message on the server (`Attempts`),
/// and from the answers to actions (`MessageActions`).
struct MessageMerge {
  private let work: UnitOfWork
  private let replies: Replies
  private let pending: PendingActionQueue
  private let ends: MessageEnds

  init(_ work: UnitOfWork) {
    self.work = work
    replies = Replies(work)
    pending = PendingActionQueue(work)
    ends = MessageEnds(work)
  }

  /// Stores a new message and returns its row.
  ///
  /// - Parameter sharesServerID: whether another stored message has the same server id.
  func insert(
    _ message: IncomingMessage, at rank: Rank, in id: ConversationID, sharesServerID: Bool
  ) throws -> MessageRow {
    var row = makeRow(for: message, at: rank, in: id)
    try replies.relate(&row, as: message)
    if sharesServerID { try mergeDuplicate(byServerID: &row) }
    try work.insert(row)
    return row
  }

  /// Updates the stored row of a received message. The whole row is updated in each of the following cases, except that a
  /// newer state stays. Otherwise only the quote is updated.
  ///
  /// - The row is not marked as sent.
  /// - The row has an older revision, another rank, or no server id.
  /// - The message is recalled. A recall is final, whatever its revision.
  /// - The message is the server's present state, which has the same revision as the row and differs from it.
  /// - The message is of this account, is neither hidden nor recalled, and has another content at the same
  ///   revision and edit time.
  ///
  /// - Parameter isPresent: whether the message was fetched because it has changed. On servers that take times for revisions,
  ///   two states may have the same revision.
  func merge(_ message: IncomingMessage, at rank: Rank, into known: MessageRow, isPresent: Bool = false)
    throws
  {
    let isRecall = message.kind == RecalledContent.kind && !known.isRecalled && !known.rank.isEarlier
    let isOther =
      isPresent && !known.isRecalled && known.revision == message.revision
      && MessageState(message, was: known.state) != known.state
    guard
      known.status != .sent || known.revision < message.revision || known.rank != rank || isRecall
        || isOther || known.serverID == nil && message.serverID != nil || isReplaced(known, by: message)
    else { return try updateQuote(known, message) }
    var row = known
    row.rank = rank
    row.position = message.position
    row.epoch = work.account.epoch
    // Without positions, a copy of a placed message has another server id at the same place.
    let isCopy =
      work.store.ordering == .arrival && known.rank == rank && known.serverID != nil
      && known.serverID != message.serverID
    if !isCopy {
      row.serverID = message.serverID ?? row.serverID
      (row.time, row.isTimeEstimated) = (message.time, false)
    }
    row.status = .sent
    row.failure = nil
    let state = MessageState(message, was: row.state)
    // Revisions are counted separately in each epoch.
    let isFirst = known.status != .sent || known.rank.isEarlier
    if isFirst || !known.state.isNewer(than: state) { row.state = state }
    if !isFirst { row.state.revision = max(known.revision, message.revision) }
    if known.rank.isEarlier {
      // The sender may have edited the message before sending the message again in the new epoch. The mention
      // flag is therefore computed again.
      row.isMention = isMention(message) && !row.isRecalled
      // Reactions of the earlier epoch are removed, even if the server reports no reactions.
      row.reactions = StoredReactions.encode(message.reactions ?? [])
    }
    try replies.relate(&row, as: message, isOfNewEpoch: known.rank.isEarlier)
    try mergeDuplicate(byServerID: &row)
    if row.isRecalled { try pending.drop(on: &row) }
    try work.update(row)
    if known.status != .sent { work.noteEnd(of: row, as: .sent) }
    try ends.endSending(of: row)
  }

  /// Updates the stored row of a message that a change reports, without its neighbours. If the message is in a gap, its
  /// time decides where it is listed there, which was an estimate before.
  func merge(changed message: IncomingMessage, into known: MessageRow) throws {
    let rank = work.store.rank(message.position) ?? known.rank
    try merge(message, at: rank, into: known, isPresent: true)
    let id = known.conversation
    guard known.isTimeEstimated else { return }
    let spans = try work.spans(of: id).spans
    if spans.contains(where: { $0.lower <= known.rank && known.rank <= $0.upper }) { return }
    let floating = FloatingMessages(work)
    try floating.listByTime(known.isPlaced ? floating.lift(known.id) : FloatingMessages.Lifted(), in: id)
  }

  /// Whether a message of this account has other content on the server than in its row. This happens, for
  /// example, if another device has sent other content under the same id.
  ///
  /// A receipt contains no content, so it does not show the difference. Messages of different revisions are not
  /// compared, since a page that arrives late may be older than an edit.
  private func isReplaced(_ known: MessageRow, by message: IncomingMessage) -> Bool {
    guard known.sender == work.store.account, known.revision == message.revision,
      known.edited == message.edited, !known.isHidden, !known.isRecalled
    else { return false }
    return known.kind != message.kind || known.payload != message.payload
  }

  /// Updates the quote of a reply. The quoted message may have changed although the reply has not changed.
  private func updateQuote(_ known: MessageRow, _ message: IncomingMessage) throws {
    var row = known
    try replies.relate(&row, as: message)
    if StoredQuote.decode(row.quote) != StoredQuote.decode(known.quote) { try work.update(row) }
  }

  /// Merges another stored row with the same server id into this row. This row stays, since lists may already show it.
  ///
  /// The rows are merged if they have the same sender and the other row's message id was assigned here. Otherwise this
  /// row loses the server id.
  ///
  /// A server may reuse its ids in a new epoch. If the other row is of an earlier epoch and is another
  /// message, the other row loses the server id instead. The other row counts as another message in each of
  /// these cases:
  ///
  /// - The senders differ.
  /// - The other row's message id was assigned here, and the times differ.
  func mergeDuplicate(byServerID row: inout MessageRow) throws {
    guard var duplicate = try work.rows.duplicate(of: row) else { return }
    let isSameMessage =
      duplicate.sender == row.sender && !(duplicate.isNamedHere && duplicate.time != row.time)
    if duplicate.rank.isEarlier, !isSameMessage {
      duplicate.serverID = nil
      return try work.update(duplicate)
    }
    guard duplicate.sender == row.sender, duplicate.isNamedHere else {
      row.serverID = nil
      return
    }
    if !row.isPlaced {
      (row.rank, row.position) = (duplicate.rank, duplicate.position)
      (row.time, row.isTimeEstimated) = (duplicate.time, duplicate.isTimeEstimated)
    }
    row.pending = row.pending ?? duplicate.pending
    row.quote = row.quote ?? duplicate.quote
    row.state.merge(newer: duplicate.state)
    try work.rows.retarget(from: duplicate.id, to: row.id)
    try work.delete(duplicate)
  }

  /// Keeps the last cleared message as a hidden row. The cleared range ends at the rank of this row.
  func keepEdge(_ message: IncomingMessage, at edge: Rank, in id: ConversationID) throws {
    let known = try work.rows.message(like: message, in: id)
    var row = known ?? makeRow(for: message, at: edge, in: id)
    (row.rank, row.isHidden) = (edge, true)
    // In a new epoch the row has lost these names, and marks find the message by its server id.
    (row.serverID, row.position, row.epoch) = (
      message.serverID ?? row.serverID, message.position, work.account.epoch
    )
    try known == nil ? work.insert(row) : work.update(row)
  }

  private func makeRow(for message: IncomingMessage, at rank: Rank, in id: ConversationID) -> MessageRow {
    let local = work.makeMessageID()
    let state = MessageState(message)
    return MessageRow(
      id: local, conversation: id, rank: rank, serverID: message.serverID,
      messageID: message.messageID ?? MessageRow.name(givenTo: local), sender: message.sender,
      position: message.position, epoch: work.account.epoch, time: message.time, status: .sent,
      kind: state.kind, payload: state.payload, revision: state.revision, version: work.nextVersion,
      isCounted: isCounted(message), failureCode: nil, failureMessage: nil, parameters: state.parameters,
      edited: state.edited, reactions: state.reactions, flags: state.flags, isMention: isMention(message))
  }

  private func isCounted(_ message: IncomingMessage) -> Bool {
    UnreadRule.counts(
      sender: message.sender, account: work.store.account,
      isCountable: message.isCountable ?? work.store.kinds.isCountable(message.kind))
  }

  private func isMention(_ message: IncomingMessage) -> Bool {
    guard isCounted(message) else { return false }
    let mentions = message.mentions ?? work.content(message.kind, message.payload).mentioned
    return mentions.include(work.store.account)
  }
}
