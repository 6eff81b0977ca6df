import SkeinStorage
import SkeinWire

/// The rule for the conversations in which members receive each other's presence.
enum SharedPresence {
  /// The maximum number of members. In a larger conversation, each change would be sent to too many members.
  static let maximumMembers = 100
}

/// The subject of a contact: another user, or a group.
enum ContactID: RawRepresentable, ColumnValue, Hashable {
  case user(Wire.UserID)
  case group(ConversationID)

  /// User ids contain no space, so the text can be split at its space.
  var rawValue: String {
    switch self {
    case .user(let user): "user \(user)"
    case .group(let id): "group \(id.wire)"
    }
  }

  init?(rawValue: String) {
    let parts = rawValue.split(separator: " ").map(String.init)
    switch parts.first {
    case "user" where parts.count == 2: self = .user(Wire.UserID(rawValue: parts[1]))
    case "group" where parts.count == 2:
      guard let id = ConversationID(Wire.ConversationID(rawValue: parts[1])) else { return nil }
      self = .group(id)
    default: return nil
    }
  }

  /// Converts a contact's wire form; nil unless the wire form contains exactly one id: a user, or a
  /// well-formed conversation id.
  init?(_ name: Wire.ContactName) {
    switch (name.user, name.conversation.map(ConversationID.init)) {
    case (let user?, nil): self = .user(user)
    case (nil, let id??): self = .group(id)
    default: return nil
    }
  }

  var wire: Wire.ContactName {
    switch self {
    case .user(let user): Wire.ContactName(user: user)
    case .group(let id): Wire.ContactName(conversation: id.wire)
    }
  }
}

/// An entry of a user's contact list. A removed entry stays stored, so that clients with an older version of the list
/// receive the removal.
struct StoredContact: Mapped, Equatable {
  let user: Wire.UserID
  let id: ContactID
  var remark: String?
  var isMuted: Bool
  var isPinned: Bool
  var isRemoved: Bool
  /// The newest change of this row.
  var change: Int64
  /// The change that last restored the contact after a removal; 0 if there is none. A sync from a cursor
  /// before this change reports the direct conversation from the beginning.
  var backSince: Int64

  static let table = Table(
    "contact", key: ["user", "id"], clusteredBy: ["user", "id"], indexes: [Index(["user", "change"])],
    Self.init,
    Column("user", \.user), Column("id", \.id), Column("remark", \.remark), Column("is_muted", \.isMuted),
    Column("is_pinned", \.isPinned), Column("is_removed", \.isRemoved), Column("change", \.change),
    Column("back_since", \.backSince))

  /// The fourth version of the database added contacts; the migration adds the contact of each existing
  /// conversation to the lists of its members.
  static let migration = Migration(to: 4, "contacts") { rows in
    try rows.execute(
      """
      CREATE TABLE contact (
        user TEXT NOT NULL, id TEXT NOT NULL, remark TEXT, is_muted INTEGER NOT NULL,
        is_pinned INTEGER NOT NULL, is_removed INTEGER NOT NULL, change INTEGER NOT NULL,
        back_since INTEGER NOT NULL, PRIMARY KEY (user, id)) STRICT, WITHOUT ROWID
      """)
    try rows.execute("CREATE INDEX contact_user_change ON contact (user, change)")
    try rows.execute(
      """
      INSERT INTO contact
      SELECT own.user, CASE kind WHEN 'direct' THEN 'user ' || other.user ELSE
        'group ' || printf('%016x', conversation.id) END, NULL, 0, 0, 0, 0, 0
      FROM member AS own JOIN conversation ON conversation.id = own.conversation
      LEFT JOIN member AS other
        ON kind = 'direct' AND other.conversation = own.conversation AND other.user <> own.user
      """)
  }
}

extension ReadTransaction {
  /// Returns the newest change of a user's contact list; 0 if there is none.
  func contactVersion(of user: Wire.UserID) throws -> Int64 {
    try scalar(Int64.self, "SELECT max(change) FROM contact WHERE user = ?", user) ?? 0
  }

  /// Returns a user's contact for the other user of a direct conversation; nil for a group, or if the list
  /// never contained the other user.
  func contact(of row: StoredConversation, for user: Wire.UserID) throws -> StoredContact? {
    guard row.kind == .direct, let peer = try members(of: row.id).first(where: { $0 != user }) else {
      return nil
    }
    return try find(StoredContact.self, user, ContactID.user(peer))
  }

  /// Returns the users who share a conversation of at most ``SharedPresence/maximumMembers`` members with
  /// `user`. Leaves out each user whom `user` has removed as a contact, and each user who has removed `user`.
  func peers(of user: Wire.UserID) throws -> Set<Wire.UserID> {
    let peers = try rows(
      Wire.UserID.self,
      """
      SELECT DISTINCT other.user FROM member AS own
      JOIN member AS other ON other.conversation = own.conversation AND other.user <> own.user
      WHERE own.user = ?1 AND ?2 >= (
        SELECT count(*) FROM (SELECT 1 FROM member WHERE conversation = own.conversation LIMIT ?2 + 1)
      ) AND NOT EXISTS (SELECT 1 FROM contact WHERE is_removed = 1 AND (
        (user = ?1 AND id = 'user ' || other.user) OR (user = other.user AND id = 'user ' || ?1)))
      """, user, SharedPresence.maximumMembers)
    return Set(peers)
  }

  /// Returns the strangers of each user. Two users are strangers if one of them has removed the other as a
  /// contact. Only removals by `users` are considered.
  func strangers(among users: [Wire.UserID]) throws -> [Wire.UserID: Set<Wire.UserID>] {
    var strangers: [Wire.UserID: Set<Wire.UserID>] = [:]
    for user in users {
      for removed in try select(StoredContact.self, "WHERE user = ? AND is_removed = 1", user) {
        guard case .user(let other) = removed.id else { continue }
        strangers[user, default: []].insert(other)
        strangers[other, default: []].insert(user)
      }
    }
    return strangers
  }
}
