import SkeinStorage
import SkeinWire

/// Whom or what a contact stands for: another user, or a group.
enum ContactID: RawRepresentable, ColumnValue, Hashable {
  case user(Wire.UserID)
  case group(ConversationID)

  /// Names of users hold no space.
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

  /// What a client names; nil where it names nothing that can be.
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

/// An entry of a user's contact list; one that was taken off it stays, for those who have not heard of that yet.
struct StoredContact: Mapped, Equatable {
  let user: Wire.UserID
  let id: ContactID
  var remark: String?
  var isMuted: Bool
  var isPinned: Bool
  var isRemoved: Bool
  /// The newest change of this row.
  var change: Int64
  /// The change with which a contact that was removed came back: since then sync tells of it again, from its beginning.
  var backSince: Int64

  static let table = Table(
    "contact", key: ["user", "id"], clusteredBy: ["user", "id"], indexes: [Index(["user", "change"])],
    Self.init,
    Column("user", \.user), Column("id", \.id), Column("remark", \.remark), Column("is_muted", \.isMuted),
    Column("is_pinned", \.isPinned), Column("is_removed", \.isRemoved), Column("change", \.change),
    Column("back_since", \.backSince))

  /// The fourth version of the database brought it; who talked to each other, or was in a group, has it on the list.
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

extension WriteTransaction {
  /// Puts contacts on a user's list that are not on it; says whether that changed anything.
  @discardableResult
  func addContact(_ id: ContactID, of user: Wire.UserID) throws -> Bool {
    let known = try find(StoredContact.self, user, id)
    guard known?.isRemoved ?? true else { return false }
    let change = try nextChange()
    var row =
      known
      ?? StoredContact(
        user: user, id: id, remark: nil, isMuted: false, isPinned: false, isRemoved: false, change: change,
        backSince: 0)
    row.change = change
    if row.isRemoved { row.backSince = change }
    row.isRemoved = false
    try upsert(row)
    try tell(user, of: id, change)
    return true
  }

  /// Takes a contact off a user's list; says whether that changed anything.
  func removeContact(_ id: ContactID, of user: Wire.UserID) throws -> Bool {
    guard var row = try find(StoredContact.self, user, id), !row.isRemoved else { return false }
    row.isRemoved = true
    row.change = try nextChange()
    return try update(row)
  }

  /// Has the user's next sync look at the conversation with a contact that is back.
  private func tell(_ user: Wire.UserID, of id: ContactID, _ change: Int64) throws {
    guard case .user(let peer) = id, peer != user else { return }
    let pair = try ConversationPlan(.direct(peer: peer), by: user)
    guard let row = try first(StoredConversation.self, "WHERE alias = ?", pair.alias) else { return }
    try execute("UPDATE member SET change = ? WHERE user = ? AND conversation = ?", change, user, row.id)
  }
}

extension ReadTransaction {
  /// The newest change of a user's contact list.
  func contactVersion(of user: Wire.UserID) throws -> Int64 {
    try scalar(Int64.self, "SELECT max(change) FROM contact WHERE user = ?", user) ?? 0
  }

  /// The contact as its account sees it; nil for one whose user or group is gone.
  func wire(_ row: StoredContact) throws -> Wire.Contact? {
    let kind: Wire.ContactKind
    let name: String?
    switch row.id {
    case .user(let user):
      kind = .friend
      name = try find(StoredUser.self, user)?.name
    case .group(let id):
      kind = .group
      name = try find(StoredConversation.self, id)?.title
    }
    return name.map {
      Wire.Contact(
        contact: row.id.wire, kind: kind, name: $0, remark: row.remark, isMuted: row.isMuted,
        isPinned: row.isPinned)
    }
  }
}

extension ReadTransaction {
  /// Those who share a conversation with a user, and neither has taken the other off the contact list.
  func peers(of user: Wire.UserID) throws -> Set<Wire.UserID> {
    let peers = try rows(
      Wire.UserID.self,
      """
      SELECT DISTINCT other.user FROM member AS own
      JOIN member AS other ON other.conversation = own.conversation AND other.user <> own.user
      WHERE own.user = ?1 AND NOT EXISTS (SELECT 1 FROM contact WHERE is_removed = 1 AND (
        (user = ?1 AND id = 'user ' || other.user) OR (user = other.user AND id = 'user ' || ?1)))
      """, user)
    return Set(peers)
  }

  /// Those of some users of whom one has taken the other off the contact list.
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
