import SkeinStorage

/// The only row of the table `account`: the database's account, and how far it is synced.
struct AccountRow: Mapped, Equatable {
  /// Always 1.
  let id: Int64
  let user: UserID
  var cursor: SyncCursor?
  var epoch: Epoch?
  var nextMessage: Int64
  var nextConversation: Int64
  var nextOperation: Int64
  /// The change counter, which rises with every transaction that publishes changes.
  var version: Int64
  /// The name of the ``Installation`` that last opened the database.
  var installation: String? = nil
  /// The version of the stored contact list.
  var contactVersion: ContactVersion? = nil
  /// The time by which the device's clock was behind the server's clock, in milliseconds.
  var clockOffset: Int64 = 0
  /// The messages below this local id were stored before the search index existed, and are not indexed yet;
  /// 0 if all messages are indexed.
  var unindexedBelow: Int64 = 0
  /// The boot of the machine in which attempts may have been stored but not synchronized to the disk. Nil if
  /// a power cut can't lose attempts.
  var unsyncedBoot: String? = nil

  static let table = Table(
    "account", key: ["id"],
    Self.init, Column("id", \.id), Column("user", \.user), Column("cursor", \.cursor),
    Column("epoch", \.epoch), Column("next_message", \.nextMessage),
    Column("next_conversation", \.nextConversation), Column("next_operation", \.nextOperation),
    Column("version", \.version), Column("installation", \.installation),
    Column("contact_version", \.contactVersion),
    Column("clock_offset", \.clockOffset), Column("unindexed_below", \.unindexedBelow),
    Column("unsynced_boot", \.unsyncedBoot))
}

extension ReadTransaction {
  /// The account that the database belongs to; nil in a new database.
  func account() throws -> AccountRow? { try find(AccountRow.self, Int64(1)) }
}
