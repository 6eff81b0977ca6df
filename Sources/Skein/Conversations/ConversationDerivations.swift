import SkeinStorage

/// Derives the last message of each changed conversation, which determines the preview, and the time of the last activity,
/// which determines the place in the list: a message that waits to be sent is the last one, even if later messages were
/// received. `UnitOfWork` runs the derivations of this file before each commit, in the order of `Client/Derivations`.
struct Previews: Derivation {
  func derive(in work: UnitOfWork) throws {
    for touched in work.touchedConversations where touched.needsPreview {
      let last = try work.rows.lastMessage(of: touched.id)
      let received = try last?.rank.isUnsent == true ? work.rows.lastPlacedTime(in: touched.id) : nil
      try work.change(touched.id) { row in
        row.lastMessage = last?.id
        guard let last else { return }
        row.lastActivity = max(last.time, received ?? last.time)
        row.isHidden = false
      }
    }
  }
}

/// Derives the unread counts: the countable stored messages after the read mark, plus the unread messages that are
/// known to be in gaps. A closed conversation and an invitation have no unread messages.
struct UnreadCounts: Derivation {
  func derive(in work: UnitOfWork) throws {
    for touched in work.touchedConversations where touched.needsCounts {
      try work.changeSpans(of: touched.id) { $0.read(upTo: touched.row.readMark) }
      try count(touched.id, in: work)
    }
  }

  private func count(_ id: ConversationID, in work: UnitOfWork) throws {
    let known = try work.row(of: id)
    if !known.countsUnread {
      return try work.change(id) { row in
        row.unreadCount = 0
        row.unreadIsAtLeast = false
        row.unreadMentions = 0
      }
    }
    let stored = try work.unread(in: id)
    let spans = try work.spans(of: id)
    let inGaps = spans.unreadInGaps
    // The message of a waiting mark is in a gap. Without gaps, it was cleared here, and everything after it is stored.
    let isMarkInGap = known.waitingReadMark != nil && !spans.isGapless
    // While the server's read mark waits for its message, the server may or may not count the messages deleted here.
    let isExact =
      try inGaps.isExact
      && (!isMarkInGap || work.rows.deletedUnreadMessages(in: id, after: known.readMark) == 0)
    try work.change(id) { row in
      row.unreadCount = stored.messages + inGaps.count
      row.unreadIsAtLeast = !isExact
      // The gaps can't contain more unread mentions than unread messages. While the server's read mark waits, messages
      // that were read may count as unread instead of messages in the gaps.
      if inGaps.isExact, !isMarkInGap {
        row.mentionsInGaps = min(row.mentionsInGaps, inGaps.count)
      }
      row.unreadMentions = stored.mentions + row.mentionsInGaps
    }
  }
}
