import SkeinStorage

/// How many unread messages and mentions lie in the gaps: the server's counts without what is stored here.
extension Intake {
  /// Distributes unread messages over the gaps. Their number is the server's unread count minus the number of
  /// unread messages stored here. Does nothing if the server sent no unread count.
  func countUnread(_ delta: ConversationDelta, in id: ConversationID) throws {
    guard let unread = delta.unread else { return }
    try marks.read(
      withUnread: unread.clamped(to: Self.plausibleCounts),
      mentions: delta.unreadMentions?.clamped(to: Self.plausibleCounts), in: id)
    let mark = try serverReadMark(delta, id)
    let stored = try countedMessages(in: id, after: mark)
    let total = max(unread.clamped(to: Self.plausibleCounts) - stored, 0)
    try work.changeSpans(of: id) { $0.countUnread(inGaps: total, after: mark) }
  }

  /// Stores the number of unread mentions of this account in the gaps. This number is the server's count
  /// minus the number of stored mentions. Does nothing if the server sent no count of mentions.
  func countMentions(_ delta: ConversationDelta, in id: ConversationID) throws {
    guard let mentions = delta.unreadMentions else { return }
    let stored = try work.rows.countedMentions(in: id, after: serverReadMark(delta, id))
    try work.change(id) { $0.mentionsInGaps = max(mentions.clamped(to: Self.plausibleCounts) - stored, 0) }
  }

  /// The read mark after which the server counts messages; `lowest` if unknown. The server's read mark may be
  /// behind the read mark of this device.
  private func serverReadMark(_ delta: ConversationDelta, _ id: ConversationID) throws -> Rank {
    let row = try work.row(of: id)
    let isKnown = store.capabilities.readMarks && row.pendingReadMark == nil
    return try delta.info.readMark.flatMap { try marks.rank(of: $0, in: id) }
      ?? (isKnown ? row.readMark : .lowest)
  }

  /// The plausible range of the server's counts. Other values are clamped to this range.
  static var plausibleCounts: ClosedRange<Int> { 0...1_000_000_000 }

  /// The numbers of stored messages and mentions that the server counts as unread, from a read mark up to the end of the last
  /// sync.
  func storedCounts(in id: ConversationID, after mark: Rank, upTo seen: Rank) throws
    -> (messages: Int, mentions: Int)
  {
    (
      try countedMessages(in: id, after: mark) - work.rows.countedMessages(in: id, after: max(mark, seen)),
      try work.rows.countedMentions(in: id, after: mark, upTo: seen)
    )
  }

  /// The number of stored messages that the server counts as unread after a read mark. Messages deleted here are
  /// included.
  private func countedMessages(in id: ConversationID, after mark: Rank) throws -> Int {
    guard try work.row(of: id).readMark == mark else {
      return try work.rows.countedMessages(in: id, after: mark)
    }
    return try work.unread(in: id).messages + work.rows.deletedUnreadMessages(in: id, after: mark)
  }

  /// Counts the gaps again after a page has shown where the server's read mark is. Stored messages below the mark are
  /// read now, so as many others are unread: the server's totals have not changed.
  func keepTotals(_ totals: (messages: Int, mentions: Int), in id: ConversationID, upTo seen: Rank)
    throws
  {
    let mark = try work.row(of: id).readMark
    let now = try storedCounts(in: id, after: mark, upTo: seen)
    try work.changeSpans(of: id) {
      $0.countUnread(inGaps: max(totals.messages - now.messages, 0), after: mark)
    }
    try work.change(id) { $0.mentionsInGaps = max(totals.mentions - now.mentions, 0) }
  }
}
