import SkeinStorage
import SkeinWire

/// A user's star on a message, which no other user sees.
///
/// The row of a removed star stays stored. Without the row, the revision that the user sees would decrease.
struct StoredStar: Mapped {
  let user: Wire.UserID
  let conversation: ConversationID
  let position: Int64
  /// When the star was set; nil if the star was removed.
  var time: Int64?
  /// The number of times that the user has set or removed the star.
  var revision: Int64
  /// The change in which the user last set or removed the star.
  var change: Int64

  static let table = Table(
    "star", key: ["user", "conversation", "position"], clusteredBy: ["user", "conversation", "position"],
    indexes: [Index(["user", "conversation", "change"]), Index(["conversation", "position"])], Self.init,
    Column("user", \.user), Column("conversation", \.conversation), Column("position", \.position),
    Column("time", \.time), Column("revision", \.revision), Column("change", \.change))

  /// The eighth version of the database added stars.
  static let migration = Migration(to: 8, "stars") { rows in
    try rows.execute(
      """
      CREATE TABLE star (
        user TEXT NOT NULL, conversation INTEGER NOT NULL, position INTEGER NOT NULL, time INTEGER,
        revision INTEGER NOT NULL, change INTEGER NOT NULL,
        PRIMARY KEY (user, conversation, position)) STRICT, WITHOUT ROWID
      """)
    try rows.execute("CREATE INDEX star_user_conversation_change ON star (user, conversation, change)")
    try rows.execute("CREATE INDEX star_conversation_position ON star (conversation, position)")
  }

  /// The maximum number of starred messages of one user.
  fileprivate static let most = 10_000
}

extension ReadTransaction {
  /// Returns a user's star on a message, set or removed; nil if the user has never set or removed a star on
  /// the message.
  func star(on message: StoredMessage, by user: Wire.UserID) throws -> StoredStar? {
    try find(StoredStar.self, user, message.conversation, message.position)
  }

  /// Returns the messages whose star the user has set or removed after change `start`, up to change `until`.
  /// The result has at most `limit` messages, at positions up to `last`, in the order of these changes.
  ///
  /// - Parameter isFirst: whether to return only messages that have a star now, as a first sync needs.
  func starred(
    by user: Wire.UserID, in conversation: ConversationID, upTo last: Int64, after start: Int64,
    upToChange until: Int64, isFirst: Bool, limit: Int64
  ) throws -> [(change: Int64, message: StoredMessage)] {
    try select(
      StoredStar.self,
      """
      WHERE user = ? AND conversation = ? AND change > ? AND change <= ? AND position <= ?
        \(isFirst ? "AND time IS NOT NULL" : "") ORDER BY change LIMIT ?
      """, user, conversation, start, until, last, limit
    ).compactMap { star in
      try find(StoredMessage.self, conversation, star.position).map { (star.change, $0) }
    }
  }
}

extension WriteTransaction {
  /// Sets or removes a user's star; throws a 400 if the user would have too many starred messages.
  func setStar(_ isSet: Bool, on message: StoredMessage, by user: Wire.UserID, at time: Int64) throws {
    var star =
      try star(on: message, by: user)
      ?? StoredStar(
        user: user, conversation: message.conversation, position: message.position, time: nil, revision: 0,
        change: 0)
    if isSet, star.time == nil {
      let others = try scalar(
        Int.self, "SELECT count(*) FROM star WHERE user = ? AND time IS NOT NULL", user)
      try Refusal.require(
        others ?? 0 < StoredStar.most, "A user has at most \(StoredStar.most) starred messages.")
    }
    star.time = isSet ? star.time ?? time : nil
    star.revision += 1
    star.change = try nextChange()
    try upsert(star)
    _ = try execute(
      "UPDATE member SET change = ? WHERE user = ? AND conversation = ?", star.change, user,
      message.conversation)
  }

  /// Removes all users' stars on a recalled message.
  func deleteStars(on message: StoredMessage) throws {
    _ = try execute(
      "UPDATE star SET time = NULL WHERE conversation = ? AND position = ?", message.conversation,
      message.position)
  }
}
