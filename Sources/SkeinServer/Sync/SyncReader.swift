import SkeinStorage
import SkeinWire

/// Reads one page of a sync: the changes for a user after `cursor.base`, up to the sync's end.
///
/// Positions are dense and in the order of the changes. So the new messages of a conversation are the messages between
/// two positions.
struct SyncReader: Sendable {
  let user: Wire.UserID
  let cursor: SyncCursor
  /// The maximum number of new messages of one conversation in a page.
  let messages: Int64
  /// The maximum size of the messages and member lists in a page, in bytes. The last conversation of the page may exceed this
  /// limit by its member list, its newest message and one revised message.
  let budget: Int
  /// The maximum number of revised messages of one conversation in a page.
  var revised = 200
  /// The maximum number of conversations in a page.
  var conversations = 100

  /// Returns a page and the cursor after the page; throws a 400 for a cursor that is ahead of the database.
  func page(in transaction: ReadTransaction) throws -> (
    next: SyncCursor, conversations: [Wire.ConversationChange]
  ) {
    let newest = try transaction.newestChange()
    let until = cursor.page?.until ?? newest
    guard cursor.base <= until, until <= newest else { throw Refusal.badCursor }

    let candidates = try transaction.select(
      StoredMember.self,
      """
      WHERE user = ?1 AND conversation > ?2 AND (change > ?3
        OR (SELECT max(change, receipts) FROM conversation WHERE id = member.conversation) > ?3)
      ORDER BY conversation LIMIT ?4
      """, user, cursor.page?.after ?? ConversationID(rawValue: 0), cursor.base, Int64(conversations + 1))
    var after = cursor.page?.after ?? ConversationID(rawValue: 0)
    var changes: [Wire.ConversationChange] = []
    var left = max(budget, 1)
    for (index, member) in candidates.enumerated() {
      if index == conversations || left <= 0 {
        return (SyncCursor(base: cursor.base, page: .init(until: until, after: after)), changes)
      }
      let before = ConversationID(rawValue: member.conversation.rawValue - 1)
      // The last page may have ended within a conversation that the user has left since.
      let revisedUpTo = cursor.page?.after == before ? cursor.page?.revised ?? 0 : 0
      let (change, rest) = try change(of: member, until, revisedUpTo: revisedUpTo, &left, in: transaction)
      if let change { changes.append(change) }
      if let rest {
        let page = SyncCursor.Page(until: until, after: before, revised: rest)
        return (SyncCursor(base: cursor.base, page: page), changes)
      }
      after = member.conversation
    }
    return (SyncCursor(base: until), changes)
  }

  /// Returns the changes in one conversation; nil if this sync has no change in the conversation, or if the
  /// other user is a removed contact.
  ///
  /// - Parameter revisedUpTo: the change number of the last revision of this conversation that an earlier
  ///   page of this sync returned; 0 if no earlier page contained the conversation. The earlier page also
  ///   contained the conversation's other changes.
  /// - Returns: the change of the conversation. If more revisions follow, `rest` is the change number of the
  ///   last returned revision; otherwise nil.
  private func change(
    of member: StoredMember, _ until: Int64, revisedUpTo: Int64, _ left: inout Int,
    in transaction: ReadTransaction
  ) throws -> (change: Wire.ConversationChange?, rest: Int64?) {
    guard let row = try transaction.find(StoredConversation.self, member.conversation) else {
      return (nil, nil)
    }
    var known = try transaction.position(in: row.id, asOf: cursor.base)
    var isRestored = false
    if let contact = try transaction.contact(of: row, for: user) {
      // The conversation with a removed contact is omitted. After the contact was restored, the conversation
      // is reported from the beginning.
      if contact.isRemoved { return (nil, nil) }
      isRestored = contact.backSince > cursor.base
      if isRestored { known = 0 }
    }
    let head = row.change <= until ? row.head : try transaction.position(in: row.id, asOf: until)
    let isChanged =
      head > known || [member.change, row.receipts].contains { cursor.base < $0 && $0 <= until }
    if revisedUpTo > 0 { known = head }
    let range = HistoryRange(.newest, limit: min(messages, head - known), head: head)
    let rows = try transaction.messages(of: row.id, from: range.first, to: range.last)
    let sizes = rows.map(\.syncedSize)
    let kept = range.kept(sizes: sizes, budget: left)
    left -= sizes[kept].reduce(0, +)
    // This page may omit a new message that the client has already fetched in a history page. So the
    // revisions of omitted messages are reported too. After a contact was restored, all revisions are
    // reported, since the client missed the revisions during the removal.
    let last = kept.isEmpty ? head : rows[kept.lowerBound].position - 1
    let (revised, rest) = try revisions(
      of: row.id, upTo: last, since: max(isRestored ? 0 : cursor.base, revisedUpTo), until, &left,
      in: transaction)
    guard isChanged || !revised.isEmpty else { return (nil, nil) }
    let conversation = try transaction.wire(row, for: member, head: head)
    left -= 200 * conversation.members.count
    // A client that receives all new messages counts them itself. After a gap, a revision or a change that
    // `StoredMember.change` records, the client needs the server's counts.
    let isMarkNew = cursor.base > 0 && cursor.base < member.change && member.change <= until
    let isCounted = Int64(kept.count) < head - known || !revised.isEmpty || isMarkNew
    let mark = conversation.readPosition
    let unread = isCounted ? try transaction.unread(in: row.id, after: mark, to: head, by: user) : nil
    let mentions = isCounted ? try transaction.mentions(of: user, in: row.id, after: mark, to: head) : nil
    let change = Wire.ConversationChange(
      conversation: conversation, count: head - known, unread: unread, unreadMentions: mentions,
      messages: try transaction.wire(rows[kept], for: user),
      revised: try transaction.wire(revised, for: user))
    return (change, rest)
  }

  /// Returns the messages revised after change `start`: as many as fit into the page, but at least one if
  /// there are any. In a first sync, returns only pinned and starred messages. If more revisions follow,
  /// `rest` is the change number of the last returned revision; otherwise nil.
  private func revisions(
    of conversation: ConversationID, upTo last: Int64, since start: Int64, _ until: Int64,
    _ left: inout Int, in transaction: ReadTransaction
  ) throws -> (rows: [StoredMessage], rest: Int64?) {
    let isFirst = cursor.base == 0
    let shared = try transaction.select(
      StoredMessage.self,
      """
      WHERE conversation = ? AND revised > ? AND revised <= ? AND position <= ?
        \(isFirst ? "AND pinned IS NOT NULL" : "") ORDER BY revised LIMIT ?
      """, conversation, start, until, last, Int64(revised + 1))
    // A message can be revised for everybody and starred by this user. The message's current state contains
    // both changes, so a page contains the message once, at the earlier change. A later page may contain the
    // message again.
    let own = try transaction.starred(
      by: user, in: conversation, upTo: last, after: start, upToChange: until, isFirst: isFirst,
      limit: Int64(revised + 1))
    var kept: [StoredMessage] = []
    var end: Int64?
    let all = (shared.map { (change: $0.revised ?? 0, message: $0) } + own).sorted { $0.change < $1.change }
    for (change, row) in all
    where !kept.contains(where: { $0.position == row.position }) {
      guard kept.isEmpty || kept.count < revised && left > 0 else { return (kept, end) }
      left -= row.syncedSize
      kept.append(row)
      end = change
    }
    return (kept, nil)
  }
}
