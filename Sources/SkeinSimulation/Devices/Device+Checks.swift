#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Skein
import SkeinStorage
import Synchronization

extension Device {
  /// Checks what is on the disk: that it is whole, that nothing is gone that anybody was told of, and that the cursor
  /// says what is there.
  func checkStored() {
    do {
      if let damage = try Inspection.damage(of: database) { ledger.report("P1", "\(name): \(damage)") }
      try Inspection.read(database) { rows in
        try checkMessages(rows)
        try checkCursor(rows)
        try checkMarks(rows)
        try checkGaps(rows)
        try checkClosed(rows)
      }
    } catch {
      ledger.report("P1", "\(name): its database can't be read: \(error)")
    }
  }

  /// Checks that no copy of a file is left that no message waits with; to be called before anything is sent.
  func checkCopies() {
    let copies = try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "outgoing").path)
    guard let copies, !copies.isEmpty else { return }
    let waiting = try? Inspection.read(database) {
      try $0.rows(String.self, "SELECT message_id FROM message WHERE status <> 2")
    }
    for copy in copies.sorted() where waiting?.contains(where: { copy.hasPrefix($0) }) == false {
      ledger.report("S12", "\(name) keeps the file \(copy), and no message waits with it")
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
    if let left { ledger.report("P2", "\(name) is to send \(left), and no operation of its outbox says so") }
    // What the server has lost, its user may take back.
    let missing = record.confirmed.filter { id, name in
      !ids.contains(id.rawValue) && !ledger.wasLost(id) && !ledger.wasCleared(id, on: self.name)
        && name.map { !clears.covers($0) } ?? true
    }
    for lost in missing.map(\.key.rawValue).sorted().prefix(1) {
      ledger.report("S4", "\(name) has shown \(lost) as sent and does not have it any more")
    }
    for entry in ledger.entries where entry.device == name {
      guard case .stored(_, let id) = entry.fate else { continue }
      let isHere =
        ids.contains(id.rawValue) || ledger.mayBeGone(entry, id) || ledger.wasCleared(id, on: name)
        || ledger.wasLost(id) && entry.isTakenBack
      ledger.expect(isHere, "S4", "\(name) has lost \(entry.token)")
    }
  }

  /// What a cursor covers is stored, or a gap says that it is not.
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
        (Int64.self, Int64.self), "SELECT id, floor FROM conversation WHERE ref = ?", ref.rawValue)
      guard let (id, floor) = row.first else {
        ledger.report("C1", "\(name) has a cursor past \(ref.rawValue), and does not have it")
        continue
      }
      let cleared = min(floor, clears.limit(of: ref))
      let trimmed = Int64(server.trimmed(ref))
      let spans = try rows.rows(
        (Int64.self, Int64.self), "SELECT lower, upper FROM span WHERE conversation = ?", id)
      let stored = Set(
        try rows.rows(
          (Int64.self, Int64.self),
          "SELECT position, id FROM message WHERE conversation = ? AND position IS NOT NULL AND rank >= 0", id
        ).map { $0.0 })
      // The second of two places of a message may be known before the cursor comes to it.
      let single = Set(Self.single(server.messages(in: ref)).map(\.serverID))
      for message in covered where single.contains(message.serverID) {
        guard let position = message.position?.rawValue, position > cleared, !stored.contains(position)
        else { continue }
        // What the server had dropped by then, it did not hand over.
        ledger.expect(
          message != covered.last || position <= trimmed, "C1",
          "\(name) has a cursor past \(ref.rawValue) \(position), and not the message")
        ledger.expect(
          !spans.contains { $0.0 <= position && position <= $0.1 }, "C3",
          "\(name) lacks \(ref.rawValue) \(position) within what it takes for complete")
      }
    }
  }

  /// What is closed counts nowhere.
  private func checkClosed(_ rows: ReadTransaction) throws {
    let counted = try rows.scalar(
      Int64.self, "SELECT id FROM conversation WHERE is_closed = 1 AND unread_count <> 0")
    if let counted { ledger.report("U7", "\(name) counts what is unread in \(counted), which is closed") }
    let sending = try rows.scalar(
      Int64.self,
      """
      SELECT conversation.id FROM conversation JOIN operation ON operation.conversation = conversation.id
      WHERE is_closed = 1 AND message IS NOT NULL
      """)
    if let sending { ledger.report("U7", "\(name) still sends to \(sending), which is closed") }
  }

  /// What was read stays read, and what was cleared stays cleared.
  private func checkMarks(_ rows: ReadTransaction) throws {
    for (id, mark) in try rows.rows((Int64.self, Int64.self), "SELECT id, read_mark FROM conversation") {
      let before = state.withLock { $0.readMarks.updateValue(mark, forKey: id) } ?? mark
      ledger.expect(
        mark >= before, "U3", "\(name): the read mark of \(id) goes from \(before) back to \(mark)")
    }
    for (id, floor) in try rows.rows((Int64.self, Int64.self), "SELECT id, floor FROM conversation") {
      let before = state.withLock { $0.floors.updateValue(floor, forKey: id) } ?? floor
      ledger.expect(
        floor >= before, "R6", "\(name): what is cleared of \(id) ends at \(before), then at \(floor)")
    }
  }

  /// Nothing is missing of what was cleared, and no gap counts what was read.
  private func checkGaps(_ rows: ReadTransaction) throws {
    let gaps = "SELECT conversation.id FROM span JOIN conversation ON conversation.id = span.conversation"
    let cleared = try rows.scalar(
      Int64.self,
      "\(gaps) WHERE floor > 0 AND (lower < floor OR lower = floor AND NOT reaches_start)")
    if let cleared { ledger.report("C5", "\(name) has a gap in what was cleared of \(cleared)") }
    let read = try rows.scalar(Int64.self, "\(gaps) WHERE unread_below > 0 AND lower <= read_mark + 1")
    if let read { ledger.report("U2", "\(name) counts as unread what was read in a gap of \(read)") }
  }

  /// Checks what was just read or cleared, before the server hears of it.
  func checkGaps() { try? inspect { [self] in try checkGaps($0) } }

  /// Looks into the database while a process has it open.
  private func inspect<T: Sendable>(_ body: @Sendable (ReadTransaction) throws -> T) throws -> T {
    let inspection = try state.withLock { state in
      let inspection = try state.inspection ?? Inspection(database)
      if state.client != nil { state.inspection = inspection }
      return inspection
    }
    return try inspection.read(body)
  }

  /// Whether its contact list has ever had the other side of a conversation: who was removed before is a stranger here, with
  /// whom one may chat.
  func hasKnownContact(of ref: ConversationRef) -> Bool {
    let rows = try? inspect { rows in
      try rows.scalar(
        Int.self,
        """
        SELECT count(*) FROM contact JOIN conversation ON contact.id IN ('user ' || peer, 'group ' || ref)
        WHERE ref = ?
        """, ref.rawValue)
    }
    return (rows ?? 0) > 0
  }

  /// Whether the database holds a message as an operation; one that sync has brought
  /// meanwhile or that is being taken back has none any more.
  func isStored(_ id: MessageID) -> Bool {
    let rows = try? inspect { rows in
      try rows.scalar(
        Int.self,
        """
        SELECT count(*) FROM message
        WHERE message_id = ? AND (status IN (2, 4) OR id IN (SELECT message FROM operation))
        """, id)
    }
    return (rows ?? 0) > 0
  }

  /// Whether the database says that the server has a file.
  func isUploaded(_ source: UploadSource) -> Bool {
    let rows = try? inspect { rows in
      try rows.scalar(
        Int.self, "SELECT count(*) FROM upload WHERE hash = ? AND type = ? AND media IS NOT NULL",
        source.hash, source.type)
    }
    return (rows ?? 0) > 0
  }

  /// Messages that stand once: what a server took twice has two places, and a client shows one.
  static func single(_ messages: [IncomingMessage]) -> [IncomingMessage] {
    var counts: [String: Int] = [:]
    func name(_ message: IncomingMessage) -> String {
      "\(message.sender) \(message.messageID?.rawValue ?? "")"
    }
    for message in messages { counts[name(message), default: 0] += 1 }
    return messages.filter { counts[name($0)] == 1 }
  }

  /// Up to which position a conversation is cleared here, as far as that was asked for.
  func cleared(_ ref: ConversationRef) -> Int64 {
    let floor = try? Inspection.read(database) { rows in
      try rows.scalar(Int64.self, "SELECT floor FROM conversation WHERE ref = ?", ref.rawValue)
    }
    return min((floor ?? nil) ?? 0, clears.limit(of: ref))
  }

  /// Whether a message may have outlived the clearing of its chat, the server's place for it being below: it waited here
  /// for an answer that was lost.
  func hasKept(_ message: IncomingMessage) -> Bool {
    guard let id = message.messageID, ledger.attempts(of: id, from: name)?.wasUnknown == true else {
      return false
    }
    let row = try? inspect { rows in
      try rows.scalar(
        Int.self, "SELECT count(*) FROM message WHERE message_id = ? AND sender = ? AND is_hidden = 0", id,
        user)
    }
    return row == 1
  }

  /// Who it takes to be in a conversation.
  func members(of ref: ConversationRef) -> Set<String> {
    let rows = try? inspect { rows in
      try rows.rows(
        String.self,
        "SELECT user FROM member JOIN conversation ON conversation.id = member.conversation WHERE ref = ?",
        ref.rawValue)
    }
    return Set(rows ?? [])
  }

  /// The names that messages of a chat that are shown have here and on the server, and whether they are one's own.
  func stored(in chat: ConversationID) -> [(id: MessageID, server: ServerMessageID?, sender: UserID)] {
    let rows = try? inspect { rows in
      try rows.rows(
        (MessageID.self, ServerMessageID?.self, UserID.self),
        "SELECT message_id, server_id, sender FROM message WHERE conversation = ? AND is_hidden = 0", chat)
    }
    return (rows ?? []).map { (id: $0.0, server: $0.1, sender: $0.2) }
  }

  /// The oldest message of a chat that is shown and that the server has a name for.
  func oldest(in chat: ConversationID) -> ServerMessageID? {
    let row = try? inspect { rows in
      try rows.scalar(
        ServerMessageID.self,
        """
        SELECT server_id FROM message WHERE conversation = ? AND server_id IS NOT NULL AND is_hidden = 0
        ORDER BY rank, id LIMIT 1
        """, chat)
    }
    return row ?? nil
  }

  /// The names that the server has for what was deleted here, without what stands for all that was cleared.
  var hidden: Set<String> {
    let rows = try? Inspection.read(database) { rows in
      try rows.rows(
        String.self,
        """
        SELECT server_id FROM message JOIN conversation ON conversation.id = message.conversation
        WHERE message.is_hidden = 1 AND server_id IS NOT NULL AND rank <> floor
        """)
    }
    return Set(rows ?? [])
  }

  /// Messages of which nobody knows whether they have arrived, and which others wait for.
  var undecided: [(LocalMessageID, MessageID)] {
    let rows = try? Inspection.read(database) { rows in
      try rows.rows(
        (LocalMessageID.self, MessageID.self),
        "SELECT id, message_id FROM message WHERE status = ? AND id IN (SELECT depends_on FROM operation)",
        MessageStatus.uncertain)
    }
    return rows ?? []
  }

  /// What keeps it from rest; nil where nothing does.
  var unrest: String? {
    let waiting = state.withLock { $0.underWay }
    if !waiting.isEmpty { return "\(waiting) have not ended" }
    if link.hasLateRequests { return "a request of it is on its way" }
    guard client != nil, isStarted else { return "it is not running" }
    let seen = try? inspect { rows in
      (
        try rows.scalar(Int.self, "SELECT count(*) FROM operation") ?? 0,
        try rows.scalar(
          Int.self,
          "SELECT count(*) FROM conversation WHERE pending_read_mark IS NOT NULL AND ref IS NOT NULL")
          ?? 0,
        try rows.scalar(String.self, "SELECT cursor FROM account"),
        try rows.scalar(String.self, "SELECT contact_version FROM account")
      )
    }
    guard let seen else { return "its database can't be read" }
    if seen.0 > 0 { return "\(seen.0) operations wait" }
    if seen.1 > 0 { return "a read mark waits" }
    let latest = server.latestChange(for: user)
    if seen.2.flatMap({ Int($0) }) ?? 0 < latest {
      return "it is at \(seen.2 ?? "no cursor") of \(latest)"
    }
    let contacts = server.contactVersion(of: user).rawValue
    if seen.3 != contacts { return "its contacts are at \(seen.3 ?? "no version") of \(contacts)" }
    return nil
  }
}
