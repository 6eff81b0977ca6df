import SkeinStorage

/// The single row of the lease, which allows one process at a time to post and sync.
struct LeaseRow: Mapped, Equatable {
  /// Always 1.
  var id: Int64 = 1
  /// A number that rises whenever a process acquires the lease. The rise ends the lease of the previous
  /// holder.
  var fence: Int64 = 0
  /// The number of the last question. A waiting process asks a question to find out whether the holder still
  /// runs.
  var question: Int64 = 0
  /// The number of the last question that the holder has answered.
  var answer: Int64 = 0

  static let table = Table(
    "lease", key: ["id"],
    Self.init, Column("id", \.id), Column("fence", \.fence), Column("question", \.question),
    Column("answer", \.answer))
}

extension ReadTransaction {
  /// The current lease; in a new database, a lease without a holder.
  func lease() throws -> LeaseRow { try find(LeaseRow.self, Int64(1)) ?? LeaseRow() }
}
