import SkeinStorage
import SkeinWire

/// A revision that was applied; kept so that a repeated request does not apply the revision twice.
struct StoredRevision: Mapped {
  let conversation: ConversationID
  let position: Int64
  let user: Wire.UserID
  let id: String

  static let table = Table(
    "revision", key: ["conversation", "position", "user", "id"],
    clusteredBy: ["conversation", "position", "user", "id"], Self.init,
    Column("conversation", \.conversation), Column("position", \.position), Column("user", \.user),
    Column("id", \.id))

  /// The fifth version of the database added revisions, replies, mentions, receipts and session renewal.
  static let migration = Migration(to: 5, "revisions, replies, mentions, receipts, renewals") { rows in
    try rows.execute("ALTER TABLE session ADD COLUMN refresh BLOB")
    try rows.execute("ALTER TABLE session ADD COLUMN ends INTEGER NOT NULL DEFAULT 0")
    try rows.execute("CREATE INDEX session_refresh ON session (refresh)")
    try rows.execute("ALTER TABLE conversation ADD COLUMN receipts INTEGER NOT NULL DEFAULT 0")
    try rows.execute("ALTER TABLE member ADD COLUMN delivered INTEGER NOT NULL DEFAULT 0")
    try rows.execute("ALTER TABLE message ADD COLUMN revision INTEGER NOT NULL DEFAULT 0")
    try rows.execute("ALTER TABLE message ADD COLUMN edited INTEGER")
    try rows.execute("ALTER TABLE message ADD COLUMN reactions TEXT")
    try rows.execute("ALTER TABLE message ADD COLUMN revised INTEGER")
    try rows.execute("ALTER TABLE message ADD COLUMN reply_to INTEGER")
    try rows.execute("ALTER TABLE message ADD COLUMN mentions TEXT")
    try rows.execute(
      """
      CREATE INDEX message_conversation_revised_partial ON message (conversation, revised) \
      WHERE revised IS NOT NULL
      """)
    try rows.execute(
      """
      CREATE TABLE revision (
        conversation INTEGER NOT NULL, position INTEGER NOT NULL, user TEXT NOT NULL, id TEXT NOT NULL,
        PRIMARY KEY (conversation, position, user, id)) STRICT, WITHOUT ROWID
      """)
    try rows.execute(
      """
      CREATE TABLE mention (
        conversation INTEGER NOT NULL, user TEXT NOT NULL, position INTEGER NOT NULL,
        PRIMARY KEY (conversation, user, position)) STRICT, WITHOUT ROWID
      """)
  }
}
