import SkeinStorage

/// The single row that names the process that posts and syncs.
struct LeaseRow: Mapped, Equatable {
  /// Always 1.
  var id: Int64 = 1
  /// Rises whenever a process acquires the lease; the process holds the lease until it rises again.
  var fence: Int64 = 0
  /// The number of times that waiting processes have asked whether the holder still works.
  var question: Int64 = 0
  /// The last question that the holder has answered.
  var answer: Int64 = 0

  static let table = Table(
    "lease", key: ["id"],
    Self.init, Column("id", \.id), Column("fence", \.fence), Column("question", \.question),
    Column("answer", \.answer))
}

extension ReadTransaction {
  /// The current lease; that of a new database has no holder.
  func lease() throws -> LeaseRow { try find(LeaseRow.self, Int64(1)) ?? LeaseRow() }
}
