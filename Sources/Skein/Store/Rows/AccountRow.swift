import SkeinStorage

/// The one row that says whose database this is and how far it has come.
struct AccountRow: Mapped, Equatable {
  /// Always 1.
  let id: Int64
  let user: UserID
  var cursor: SyncCursor?
  var epoch: Epoch?
  var nextMessage: Int64
  var nextConversation: Int64
  var nextOperation: Int64
  /// Counts the transactions that changed what lists show.
  var version: Int64
  /// The installation of the app that wrote the database last.
  var installation: String? = nil
  /// What the stored contact list is.
  var contactVersion: ContactVersion? = nil
  /// By how much the device's clock was behind the server's, in milliseconds.
  var clockOffset: Int64 = 0
  /// The rows below this one were stored before there was a search index, and are not in it yet; 0 where all are.
  var unindexedBelow: Int64 = 0

  static let table = Table(
    "account", key: ["id"],
    Self.init, Column("id", \.id), Column("user", \.user), Column("cursor", \.cursor),
    Column("epoch", \.epoch), Column("next_message", \.nextMessage),
    Column("next_conversation", \.nextConversation), Column("next_operation", \.nextOperation),
    Column("version", \.version), Column("installation", \.installation),
    Column("contact_version", \.contactVersion),
    Column("clock_offset", \.clockOffset), Column("unindexed_below", \.unindexedBelow))
}

extension ReadTransaction {
  /// The account that the database belongs to; nil before it is first opened.
  func account() throws -> AccountRow? { try find(AccountRow.self, Int64(1)) }
}
