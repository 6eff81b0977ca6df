import SkeinStorage
import SkeinWire

/// Reads one page of a sync: what changed for a user after `cursor.base`, up to where the sync ends.
///
/// Positions are dense and rise with the changes, so what is new in a conversation is everything between two positions.
struct SyncReader: Sendable {
  let user: Wire.UserID
  let cursor: SyncCursor
  /// The most messages of one conversation.
  let messages: Int64
  /// The most bytes of content in a page, give or take one conversation's newest message.
  let budget: Int
  /// The most conversations in a page.
  var conversations = 100

  /// A page, and the cursor after it; a 400 for a cursor that is ahead of the database.
  func page(in transaction: ReadTransaction) throws -> (
    next: SyncCursor, conversations: [Wire.ConversationChange]
  ) {
    let newest = try transaction.newestChange()
    let until = cursor.page?.until ?? newest
    guard cursor.base <= until, until <= newest else { throw Refusal.badCursor }

    let candidates = try transaction.select(
      MemberRow.self,
      """
      WHERE user = ?1 AND conversation > ?2 AND (change > ?3
        OR (SELECT change FROM conversation WHERE id = member.conversation) > ?3)
      ORDER BY conversation LIMIT ?4
      """, user, cursor.page?.after ?? ConversationID(rawValue: -1), cursor.base, Int64(conversations + 1))
    var changes: [Wire.ConversationChange] = []
    var left = max(budget, 1)
    for (number, member) in candidates.enumerated() {
      if number == conversations || left <= 0 {
        let after = candidates[number - 1].conversation
        return (SyncCursor(base: cursor.base, page: .init(until: until, after: after)), changes)
      }
      if let change = try change(of: member, until, &left, in: transaction) { changes.append(change) }
    }
    return (SyncCursor(base: until), changes)
  }

  /// What changed in one conversation; nil if all of it belongs to a later sync.
  private func change(
    of member: MemberRow, _ until: Int64, _ left: inout Int, in transaction: ReadTransaction
  ) throws -> Wire.ConversationChange? {
    guard let row = try transaction.find(ConversationRow.self, member.conversation) else { return nil }
    var known = try transaction.position(in: row.id, asOf: cursor.base)
    if row.kind == .direct, let peer = try transaction.members(of: row.id).first(where: { $0 != user }),
      let contact = try transaction.find(ContactRow.self, user, ContactID.user(peer))
    {
      // Nothing is told of whom the user has removed; whoever is back is told of from the beginning.
      if contact.isRemoved { return nil }
      if contact.backSince > cursor.base { known = 0 }
    }
    let head = row.change <= until ? row.head : try transaction.position(in: row.id, asOf: until)
    guard head > known || (cursor.base < member.change && member.change <= until) else { return nil }

    let range = HistoryRange(.newest, limit: min(messages, head - known), head: head)
    let rows = try transaction.messages(of: row.id, from: range.first, to: range.last)
    let sizes = rows.map(\.size)
    let kept = range.kept(sizes: sizes, budget: left)
    left -= sizes[kept].reduce(0, +)
    let conversation = row.wire(for: member, members: try transaction.members(of: row.id), head: head)
    // A client that is handed all that is new counts for itself; one that is not, or hears of a read mark, may have gaps.
    let unread =
      Int64(kept.count) < head - known || head == known
      ? try transaction.unread(in: row.id, after: conversation.readPosition, to: head, by: user) : nil
    return Wire.ConversationChange(
      conversation: conversation, count: head - known, unread: unread, messages: rows[kept].map(\.wire))
  }
}

extension ReadTransaction {
  /// How many messages of others a user has not read.
  fileprivate func unread(
    in conversation: ConversationID, after mark: Int64, to head: Int64, by user: Wire.UserID
  ) throws -> Int64 {
    try scalar(
      Int64.self,
      "SELECT count(*) FROM message WHERE conversation = ? AND position > ? AND position <= ? AND sender <> ?",
      conversation, mark, head, user) ?? 0
  }

  /// How many messages a conversation had when a change was the newest.
  fileprivate func position(in conversation: ConversationID, asOf change: Int64) throws -> Int64 {
    try scalar(
      Int64.self,
      "SELECT position FROM message WHERE conversation = ? AND change <= ? ORDER BY change DESC LIMIT 1",
      conversation, change) ?? 0
  }
}
