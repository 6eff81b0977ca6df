import SkeinStorage

/// Finds messages of this account that the server lost when a new epoch began. A message is lost if a complete span of
/// the new history should contain it, but does not. A lost message becomes failed, so that the user can send it again.
/// A lost message that was recalled, or was to be recalled, is removed instead.
///
/// A span of an earlier epoch is removed once it contains no visible message. Usually the server has then sent all
/// messages of the span again.
struct LostMessages: Derivation {
  func derive(in work: UnitOfWork) throws {
    for touched in work.touchedConversations where touched.spansChanged {
      try detect(in: touched.id, work)
    }
  }

  private func detect(in id: ConversationID, _ work: UnitOfWork) throws {
    let map = try work.spans(of: id)
    guard map.isKnown else { return }
    if try work.rows.hasEarlierMessages(in: id) {
      for span in map.spans where !span.upper.isEarlier { try detect(in: id, span, map, work) }
      try placeFailed(in: id, work)
    }
    let left = try map.spans.filter { span in
      guard span.upper.isEarlier else { return true }
      return try work.rows.hasMessages(in: id, from: span.lower, to: span.upper)
    }
    if left.count < map.spans.count {
      try work.changeSpans(of: id) {
        $0 = SpanMap(spans: left, syncedTo: map.syncedTo, isDense: map.isDense)
      }
    }
  }

  /// Fails the lost messages of one span. The times of the messages determine which messages the span should
  /// contain. With dense positions, messages that the server has removed from the start of its history do not
  /// count as lost.
  private func detect(in id: ConversationID, _ span: Span, _ map: SpanMap, _ work: UnitOfWork) throws {
    let row = try work.row(of: id)
    let isCleared = span.lower == row.clearedUpTo
    let first =
      isCleared ? row.clearedTime : try work.rows.firstMessage(of: id, from: span.lower, to: span.upper)?.time
    let last = try work.rows.firstMessage(of: id, from: span.upper, to: span.upper)?.time
    let isNewest = span == map.newest && map.syncedTo != nil
    let isFirst = span.reachesStart && (!map.isDense || span.lower <= Rank(rawValue: 1))
    let isWhole = isFirst && isNewest
    // A server that reorders its history may list a message of this time in another part of the history, or before the
    // last cleared message.
    let isReordered = work.store.capabilities.reordersHistory
    guard isWhole || !isReordered else { return }
    // An own message that waited while the conversation was cleared is shown, although the server may have it before the
    // last cleared message.
    guard let start = isFirst && !isCleared ? Timestamp(milliseconds: .min) : first,
      let end = isNewest ? Timestamp(milliseconds: .max) : last
    else { return }
    let lost = try work.rows.earlierSentMessages(
      in: id, of: work.store.account, after: start, before: end, notIn: work.account.epoch)
    // An estimated time does not show whether the message belongs to a part of the history.
    for id in lost.filter({ isWhole || !$0.isTimeEstimated }).map(\.id) {
      // The row is read again, since an earlier iteration may have changed or removed it.
      guard var row = try work.rows.find(MessageRow.self, id) else { continue }
      if try PendingActionQueue(work).fold(into: &row) || row.isRecalled {
        try work.delete(row)
        continue
      }
      row.status = .failed
      row.failure = SendFailure(.lost, "The server no longer has it.")
      try work.update(row)
    }
  }

  /// Moves each failed message of an earlier epoch to the place where the message was composed. Lost messages
  /// keep their places.
  private func placeFailed(in id: ConversationID, _ work: UnitOfWork) throws {
    for var row in try work.rows.earlierFailedMessages(in: id, of: work.store.account) {
      let place = try work.rows.rank(whereComposed: row)
      guard place != row.rank else { continue }
      row.rank = place
      try work.update(row)
    }
  }
}
