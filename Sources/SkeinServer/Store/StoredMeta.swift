import SkeinStorage
import SkeinWire

/// The one row about the database itself.
struct StoredMeta: Mapped {
  let id: Int64
  let epoch: Wire.Epoch
  /// The number of the newest change. Each change, such as a message, a read mark or a membership, gets the next
  /// number, in commit order. Each start of the server skips numbers.
  let change: Int64

  static let table = Table(
    "meta", key: ["id"], Self.init,
    Column("id", \.id), Column("epoch", \.epoch), Column("change", \.change))
}

extension Database {
  /// Returns the database's epoch. Stores a new epoch first if the database has no epoch, or if `isNew` is
  /// true.
  func epoch(isNew: Bool = false) async throws -> Wire.Epoch {
    let fresh = Wire.Epoch(rawValue: Hexadecimal.text(Digest.random(16)))
    return try await write(.powerCut) { transaction in
      let meta = try transaction.find(StoredMeta.self, Int64(1))
      if let meta, !isNew { return meta.epoch }
      try transaction.upsert(StoredMeta(id: 1, epoch: fresh, change: meta?.change ?? 0))
      return fresh
    }
  }

  /// Skips change numbers, so that no number is assigned twice: a power cut may have undone changes, such as
  /// read marks, that clients have already received. The server calls this at each start, before any change.
  func skipChanges() async throws {
    _ = try await write(.powerCut) { try $0.execute("UPDATE meta SET change = change + ?", Int64(1 << 20)) }
  }
}

extension WriteTransaction {
  /// Assigns and returns the next change number.
  func nextChange() throws -> Int64 {
    _ = try execute("UPDATE meta SET change = change + 1")
    return try newestChange()
  }
}

extension ReadTransaction {
  /// Returns the number of the newest change in the database.
  func newestChange() throws -> Int64 { try scalar(Int64.self, "SELECT change FROM meta") ?? 0 }
}
