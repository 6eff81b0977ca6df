import SkeinStorage
import SkeinWire

/// The one row about the database itself.
struct MetaRow: Mapped {
  let id: Int64
  let epoch: Wire.Epoch
  /// The newest change: every message, read mark and membership gets the next number, in commit order.
  let change: Int64

  static let table = Table(
    "meta", key: ["id"], Self.init,
    Column("id", \.id), Column("epoch", \.epoch), Column("change", \.change))
}

extension Schema {
  /// The reference server's database.
  static let server = Schema(
    version: 6,
    tables: [
      MetaRow.table, UserRow.table, SessionRow.table, ConversationRow.table, MemberRow.table,
      MessageRow.table,
      MediaRow.table, MediaUploadRow.table, MediaReferenceRow.table, UploadRow.table,
      ContactRow.table, RevisionRow.table, MentionRow.table,
    ],
    migrations: [
      UploadRow.migration, MessageRow.migration, ContactRow.migration, RevisionRow.migration, MessageRow.pins,
    ])
}

extension Database {
  /// The epoch, made up with the database and whenever a new one is asked for.
  func epoch(isNew: Bool = false) async throws -> Wire.Epoch {
    let fresh = Wire.Epoch(rawValue: Hexadecimal.text(Digest.random(16)))
    return try await write(.powerCut) { transaction in
      let meta = try transaction.find(MetaRow.self, Int64(1))
      if let meta, !isNew { return meta.epoch }
      try transaction.upsert(MetaRow(id: 1, epoch: fresh, change: meta?.change ?? 0))
      return fresh
    }
  }
}

extension WriteTransaction {
  /// The number of the change that is being made.
  func nextChange() throws -> Int64 {
    _ = try execute("UPDATE meta SET change = change + 1")
    return try newestChange()
  }
}

extension ReadTransaction {
  /// The newest change there is.
  func newestChange() throws -> Int64 { try scalar(Int64.self, "SELECT change FROM meta") ?? 0 }

  /// A conversation and the user's place in it; a 404 unless there is one.
  func membership(
    _ user: Wire.UserID, in id: ConversationID
  ) throws -> (conversation: ConversationRow, member: MemberRow) {
    guard let member = try find(MemberRow.self, user, id),
      let conversation = try find(ConversationRow.self, id)
    else { throw Refusal.notFound }
    return (conversation, member)
  }

  /// Everyone in a conversation, sorted.
  func members(of id: ConversationID) throws -> [Wire.UserID] {
    try rows(Wire.UserID.self, "SELECT user FROM member WHERE conversation = ? ORDER BY user", id)
  }
}
