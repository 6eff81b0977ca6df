#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Skein
import SkeinStorage
import Synchronization

extension Device {
  /// Checks the database: its integrity, its messages, the search index, the cursor, read marks, cleared
  /// ranges, gaps, unread counts and closed conversations.
  func checkStored() {
    do {
      try inspect { rows in
        let damage = try rows.scalar(String.self, "PRAGMA integrity_check")
        ledger.expect(damage == "ok", "P1", "\(name): \(damage ?? "the integrity check has no result")")
        try checkMessages(rows)
        try checkIndex(rows)
        try checkCursor(rows)
        try checkMarks(rows)
        try checkGaps(rows)
        try checkCounts(rows)
        try checkClosed(rows)
        try checkSettings(rows)
      }
    } catch {
      ledger.report("P1", "\(name): its database can't be read: \(error)")
    }
  }

  /// Checks that chats have the drafts and settings that the user gave them. Chats that were merged into
  /// others are not checked.
  private func checkSettings(_ rows: ReadTransaction) throws {
    let stored = try rows.rows(
      (ConversationID.self, String?.self, Bool.self, Bool.self),
      "SELECT id, draft, is_pinned, is_muted FROM conversation")
    let chats = Dictionary(stored.map { ($0.0, $0) }) { $1 }
    for (key, value) in settings.known {
      guard let (_, draft, isPinned, isMuted) = chats[key.chat] else { continue }
      let isKept =
        switch key.field {
        case .draft: draft == value
        case .pinned: isPinned
        case .muted: isMuted
        }
      ledger.expect(isKept, "U8", "\(name) has lost the \(key.field) \(value) of \(key.chat.rawValue)")
    }
  }

  /// Checks that each copied file belongs to an unsent message, or to the failed copy of a message; called before anything is
  /// sent.
  func checkCopies() {
    let copies = try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "outgoing").path)
    guard let copies, !copies.isEmpty else { return }
    let waiting = try? inspect {
      try $0.rows(String.self, "SELECT message_id FROM message WHERE status <> 2")
    }
    let failed = try? inspect {
      try $0.rows(String.self, "SELECT CAST(payload AS TEXT) FROM message WHERE status > 2")
    }
    for copy in copies.sorted() where waiting?.contains(where: { copy.hasPrefix($0) }) == false {
      if failed?.contains(where: { $0.contains(copy) }) == true { continue }
      ledger.report("P6", "\(name) keeps the file \(copy), and no message waits with it")
    }
  }

  /// Checks that each visible text message is in the search index or waits to be indexed. Also checks that
  /// the index has as many entries as there are indexed messages.
  private func checkIndex(_ rows: ReadTransaction) throws {
    let missing = try rows.scalar(
      String.self,
      "SELECT message_id FROM message WHERE kind = 'text' AND is_hidden = 0 AND search_id IS NULL LIMIT 1")
    if let missing { ledger.report("P5", "\(name) can't find the stored message \(missing)") }
    let counts = try rows.rows(
      (Int.self, Int.self),
      "SELECT (SELECT count(*) FROM message_search), (SELECT count(*) FROM message WHERE search_id >= 0)")
    if let (entries, messages) = counts.first, entries != messages {
      ledger.report("P5", "\(name) has \(entries) entries in its search index, for \(messages) messages")
    }
  }

  private func checkMessages(_ rows: ReadTransaction) throws {
    let stored = try rows.rows(String.self, "SELECT message_id FROM message")
    let ids = Set(stored)
    let left = try rows.scalar(
      String.self,
      """
      SELECT message_id FROM message
      WHERE status IN (?, ?) AND id NOT IN (SELECT message FROM operation WHERE message IS NOT NULL)
      """, MessageStatus.queued, MessageStatus.sending)
    if let left { ledger.report("P2", "\(name) has \(left) unsent without an operation in its outbox") }
    // A message may be missing if it may have been cleared. A message that the server has lost may be missing
    // too, since the user may have recalled or cancelled it.
    let missing = record.confirmed.filter { id, name in
      !ids.contains(id.rawValue) && !ledger.wasLost(id) && !ledger.wasCleared(id, on: self.name)
        && name.map { !clears.covers($0) } ?? true
    }
    for lost in missing.map(\.key.rawValue).sorted().prefix(1) {
      ledger.report("S4", "\(name) has shown \(lost) as sent and no longer has it")
    }
    for entry in ledger.entries where entry.device == name {
      guard case .stored(_, let id) = entry.fate else { continue }
      let isHere =
        ids.contains(id.rawValue) || ledger.mayBeGone(entry, id) || ledger.wasCleared(id, on: name)
        || ledger.wasLost(id) && (entry.isCancelRequested || ledger.wasRecalled(id))
      ledger.expect(isHere, "S4", "\(name) has lost \(entry.token)")
    }
  }

  /// Checks that the cursor never goes back within an epoch. Also checks that each message covered by the
  /// cursor is stored, cleared or in a gap. The newest covered message of a conversation may be in a gap only
  /// if the server has dropped this message.
  func checkCursor(_ rows: ReadTransaction) throws {
    let cursor = try rows.scalar(String.self, "SELECT cursor FROM account")
    let change = cursor.flatMap { Int($0) } ?? 0
    let epoch = try rows.scalar(String.self, "SELECT epoch FROM account")
    let before = state.withLock { state in
      if state.epoch != epoch {
        (state.epoch, state.cursor, state.readMarks, state.floors) = (epoch, 0, [:], [:])
      }
      defer { state.cursor = max(state.cursor, change) }
      return state.cursor
    }
    ledger.expect(change >= before, "C2", "\(name): the cursor goes from \(before) back to \(change)")
    guard epoch == server.epoch.rawValue else { return }
    for ref in server.rooms() {
      guard server.shows(ref, to: user, at: cursor.map { SyncCursor(rawValue: $0) }) else { continue }
      let covered = server.messages(in: ref, upTo: cursor.map { SyncCursor(rawValue: $0) })
      guard !covered.isEmpty else { continue }
      let row = try rows.rows(
        (Int64.self, Int64.self), "SELECT id, floor FROM conversation WHERE ref = ? OR ref LIKE ?",
        ref.original.rawValue,
        "\(ref.original.rawValue)~%")
      guard let (id, floor) = row.first else {
        ledger.report("C1", "\(name) has a cursor past \(ref.rawValue), and no such conversation")
        continue
      }
      let order = server.order
      let cleared = min(try order.number(upTo: floor, in: id, rows), clears.limit(of: ref))
      let trimmed = Int64(server.trimmed(ref))
      let spans = try rows.rows(
        (Int64.self, Int64.self), "SELECT lower, upper FROM span WHERE conversation = ? AND upper >= 0", id
      ).compactMap { try order.numbers(from: $0.0, to: $0.1, in: id, rows) }
      let stored = Set(try rows.numbers(in: id))
      // Duplicates are not checked: the device may have received the second copy before the cursor covers it.
      let single = Set(Self.single(server.messages(in: ref)).map(\.serverID))
      for message in covered where single.contains(message.serverID) {
        guard let position = message.position?.rawValue, position > cleared, !stored.contains(position)
        else { continue }
        // The server does not send messages that it has dropped.
        ledger.expect(
          message != covered.last || position <= trimmed, "C1",
          "\(name) has a cursor past \(ref.rawValue) \(position), and not the message there")
        // Without dense positions, a page that reaches the start closes the gap over trimmed messages. If pages have
        // another order than syncs, the ends of a span do not show what is between them.
        ledger.expect(
          order.reorders || order != .dense && position <= trimmed
            || !spans.contains { $0.contains(position) }, "C3",
          "\(name) lacks \(ref.rawValue) \(position) within a span that should be complete")
      }
    }
  }

  /// Checks that the unread counts of each open conversation match its stored messages and its gaps.
  private func checkCounts(_ rows: ReadTransaction) throws {
    func counted(_ column: String) -> String {
      """
      (SELECT count(*) FROM message WHERE conversation = chat.id AND \(column) = 1 AND is_hidden = 0
        AND rank > max(read_mark, \(Rank.beforeHistory.rawValue)))
      """
    }
    let inGaps =
      "(SELECT coalesce(sum(unread_below), 0) FROM span WHERE conversation = chat.id AND reaches_start = 0)"
    let wrong = try rows.rows(
      (Int64.self, Int.self, Int.self),
      """
      SELECT id, unread_count, unread_mentions FROM conversation AS chat
      WHERE is_closed = 0 AND invitation IS NULL
        AND (unread_count <> \(counted("is_counted")) + \(inGaps)
          OR unread_mentions <> \(counted("is_mention")) + mentions_in_gaps)
      """)
    for (id, messages, mentions) in wrong {
      ledger.report(
        "U2",
        "\(name) counts \(messages) unread messages and \(mentions) mentions in \(id), and stores others")
    }
  }

  /// Checks that closed conversations and invitations have no unread counts, and that the closed ones send no messages.
  private func checkClosed(_ rows: ReadTransaction) throws {
    let counted = try rows.scalar(
      Int64.self,
      """
      SELECT id FROM conversation
      WHERE (is_closed = 1 OR invitation IS NOT NULL) AND (unread_count <> 0 OR unread_mentions <> 0)
      """)
    if let counted { ledger.report("U7", "\(name) counts unread messages in \(counted), which is closed") }
    let sending = try rows.scalar(
      Int64.self,
      """
      SELECT conversation.id FROM conversation JOIN operation ON operation.conversation = conversation.id
      WHERE is_closed = 1 AND message IS NOT NULL
      """)
    if let sending { ledger.report("U7", "\(name) still sends to \(sending), which is closed") }
  }

  /// Checks that, within an epoch, read marks never go back and cleared ranges never shrink.
  private func checkMarks(_ rows: ReadTransaction) throws {
    for (id, mark) in try rows.rows((Int64.self, Int64.self), "SELECT id, read_mark FROM conversation") {
      let before = state.withLock { $0.readMarks.updateValue(mark, forKey: id) } ?? mark
      ledger.expect(
        mark >= before, "U3", "\(name): the read mark of \(id) goes from \(before) back to \(mark)")
    }
    for (id, floor) in try rows.rows((Int64.self, Int64.self), "SELECT id, floor FROM conversation") {
      let before = state.withLock { $0.floors.updateValue(floor, forKey: id) } ?? floor
      ledger.expect(
        floor >= before, "R6", "\(name): the cleared range of \(id) ends at \(before), then at \(floor)")
    }
  }

  /// Checks that cleared ranges contain no gap, and that no gap counts read messages as unread.
  private func checkGaps(_ rows: ReadTransaction) throws {
    let gaps = "SELECT conversation.id FROM span JOIN conversation ON conversation.id = span.conversation"
    let cleared = try rows.scalar(
      Int64.self,
      "\(gaps) WHERE floor > 0 AND (lower BETWEEN 0 AND floor - 1 OR lower = floor AND NOT reaches_start)")
    if let cleared { ledger.report("C5", "\(name) has a gap in the cleared range of \(cleared)") }
    let read = try rows.scalar(Int64.self, "\(gaps) WHERE unread_below > 0 AND lower <= read_mark + 1")
    if let read { ledger.report("U2", "\(name) counts read messages as unread in a gap of \(read)") }
  }

  /// Checks the gaps just after a chat was marked as read, cleared or deleted. At this moment, the server may
  /// not have the read mark yet.
  func checkGaps() { try? inspect { [self] in try checkGaps($0) } }

  /// The reason why the device is not at rest; nil if the device is at rest.
  var unrest: String? {
    let waiting = state.withLock { $0.underWay }
    if !waiting.isEmpty { return "\(waiting) have not ended" }
    if link.hasLateRequests { return "one of its requests is on its way" }
    guard client != nil, isStarted else { return "it is not running" }
    let seen = try? inspect { rows in
      (
        try rows.scalar(Int.self, "SELECT count(*) FROM operation") ?? 0,
        try rows.scalar(
          Int.self,
          "SELECT count(*) FROM conversation WHERE pending_read_mark IS NOT NULL AND ref IS NOT NULL")
          ?? 0,
        try rows.scalar(Int.self, Self.unconfirmed, abilities.settings) ?? 0,
        try rows.scalar(String.self, "SELECT cursor FROM account"),
        try rows.scalar(String.self, "SELECT contact_version FROM account")
      )
    }
    guard let seen else { return "its database can't be read" }
    if seen.0 > 0 { return "\(seen.0) operations wait" }
    if seen.1 > 0 { return "a read mark waits" }
    if seen.2 > 0 { return "a setting waits" }
    let latest = server.latestChange(for: user)
    if seen.3.flatMap({ Int($0) }) ?? 0 < latest {
      return "it is at \(seen.3 ?? "no cursor") of \(latest)"
    }
    let contacts = server.contactVersion(of: user).rawValue
    if seen.4 != contacts { return "its contacts are at \(seen.4 ?? "no version") of \(contacts)" }
    return nil
  }

  /// Counts the chats with settings that the server stores and has neither confirmed nor refused.
  private static let unconfirmed = """
    SELECT count(*) FROM conversation
    WHERE unconfirmed_settings & ? <> 0 AND ref IS NOT NULL AND is_closed = 0 AND invitation IS NULL
    """
}
