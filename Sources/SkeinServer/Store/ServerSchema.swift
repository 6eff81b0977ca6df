import SkeinStorage
import SkeinWire

/// The one row about the database itself.
struct StoredMeta: Mapped {
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
      StoredMeta.table, StoredUser.table, StoredSession.table, StoredConversation.table, StoredMember.table,
      StoredMessage.table,
      StoredMedia.table, StoredMediaUpload.table, StoredMediaReference.table, StoredUpload.table,
      StoredContact.table, StoredRevision.table, StoredMention.table,
    ],
    migrations: [
      StoredUpload.migration, StoredMessage.migration, StoredContact.migration, StoredRevision.migration,
      StoredMessage.pins,
    ])
}

extension Database {
  /// The epoch, made up with the database and whenever a new one is asked for.
  func epoch(isNew: Bool = false) async throws -> Wire.Epoch {
    let fresh = Wire.Epoch(rawValue: Hexadecimal.text(Digest.random(16)))
    return try await write(.powerCut) { transaction in
      let meta = try transaction.find(StoredMeta.self, Int64(1))
      if let meta, !isNew { return meta.epoch }
      try transaction.upsert(StoredMeta(id: 1, epoch: fresh, change: meta?.change ?? 0))
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
  ) throws -> (conversation: StoredConversation, member: StoredMember) {
    guard let member = try find(StoredMember.self, user, id),
      let conversation = try find(StoredConversation.self, id)
    else { throw Refusal.notFound }
    return (conversation, member)
  }

  /// Everyone in a conversation, sorted.
  func members(of id: ConversationID) throws -> [Wire.UserID] {
    try rows(Wire.UserID.self, "SELECT user FROM member WHERE conversation = ? ORDER BY user", id)
  }
}
