import SkeinStorage

/// The one row that says which of the processes on a database posts and syncs.
struct LeaseRow: Mapped, Equatable {
  /// Always 1.
  var id: Int64 = 1
  /// Rises whenever the lease goes to somebody; whoever it went to holds the lease for as long as it stands.
  var fence: Int64 = 0
  /// Counts how often those who wait have asked whether the holder still works.
  var question: Int64 = 0
  /// The last question that the holder has answered.
  var answer: Int64 = 0

  static let table = Table(
    "lease", key: ["id"],
    Self.init, Column("id", \.id), Column("fence", \.fence), Column("question", \.question),
    Column("answer", \.answer))
}

extension ReadTransaction {
  /// The lease as it stands; nobody has held that of a new database.
  func lease() throws -> LeaseRow { try find(LeaseRow.self, Int64(1)) ?? LeaseRow() }
}
