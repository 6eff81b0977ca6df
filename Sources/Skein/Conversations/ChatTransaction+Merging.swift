import SkeinStorage

extension ChatTransaction {
  /// Two conversations here have turned out to be one on the server: what sync brought goes over into the one that this
  /// device opened, whose identity stays.
  func merge(_ other: ConversationRow, into id: ConversationID) throws {
    let spans = try spans(of: other.id)
    let moved = try rows.select(MessageRow.self, "WHERE conversation = ? ORDER BY rank, id", other.id)
    for var row in moved {
      row.conversation = id
      try update(row)
    }
    for mark in try rows.select(MemberRow.self, "WHERE conversation = ? ORDER BY user", other.id) {
      guard var own = try rows.find(MemberRow.self, id, mark.user) else { continue }
      (own.delivered, own.read) = (max(own.delivered, mark.delivered), max(own.read, mark.read))
      try rows.upsert(own)
    }
    try noteReceiptsOrPins(of: id)
    for table in ["span", "member"] {
      try rows.execute("DELETE FROM \(table) WHERE conversation = ?", other.id)
    }
    try rows.execute("UPDATE OR REPLACE revised SET conversation = ? WHERE conversation = ?", id, other.id)
    for table in ["operation", "reply"] {
      try rows.execute("UPDATE \(table) SET conversation = ? WHERE conversation = ?", id, other.id)
    }
    try remove(other.id, mergedInto: id, moved: moved.map(\.id))
    try changeSpans(of: id) { $0 = spans.above($0) }
    try change(id) { row in
      row.readMark = max(row.readMark, other.readMark)
      row.pendingReadMark = [row.pendingReadMark, other.pendingReadMark].compactMap(\.self).max()
      row.floor = max(row.floor, other.floor)
      row.clearedTime = [row.clearedTime, other.clearedTime].compactMap(\.self).max()
      row.mentionsInGaps += other.mentionsInGaps
      row.isPinned = row.isPinned || other.isPinned
      row.isMuted = row.isMuted || other.isMuted
      row.draft = row.draft ?? other.draft
    }
    // A group that was left is left as both. A one-to-one chat was opened since, and stays open.
    guard let ref = other.ref, other.type == .group, try other.isClosed || conversation(id).isClosed else {
      return
    }
    try close(id)
    try noteRemoval(of: .group(ref))
  }
}
