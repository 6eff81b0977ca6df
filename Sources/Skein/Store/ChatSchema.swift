import SkeinStorage

/// The tables of an account's database, and how an older one gets there.
enum ChatSchema {
  static let current = Schema(
    version: 5,
    tables: [
      AccountRow.table, ConversationRow.table, MemberRow.table, MessageRow.table, SpanRow.table,
      OperationRow.table, UploadRow.table, ContactRow.table, LeaseRow.table, MergedRow.table,
    ],
    migrations: [
      toLanes,
      Migration(to: 3, "deleting, opening keys, dependents, processes") { rows in
        try addHiding(rows)
        try keepOpeningKeys(rows)
        try indexDependents(rows)
        try addProcesses(rows)
      },
      Migration(to: 4, "contacts, the server's clock, tokens") { rows in
        try addContacts(rows)
        try addClock(rows)
        try addTokens(rows)
      },
      toEpochs,
    ])

  /// Operations know what they wait for, messages what was added to them, uploads go on where they were cut.
  private static let toLanes = Migration(to: 2, "lanes and uploads") { rows in
    try rows.execute("ALTER TABLE operation ADD COLUMN depends_on INTEGER")
    try rows.execute("ALTER TABLE operation ADD COLUMN is_media INTEGER NOT NULL DEFAULT 0")
    try rows.execute("ALTER TABLE operation ADD COLUMN is_parked INTEGER NOT NULL DEFAULT 0")
    try rows.execute("ALTER TABLE operation ADD COLUMN failures INTEGER NOT NULL DEFAULT 0")
    try rows.execute("ALTER TABLE operation ADD COLUMN waited INTEGER NOT NULL DEFAULT 0")
    try rows.execute("UPDATE operation SET is_media = needs_preparation")
    try rows.execute("ALTER TABLE account ADD COLUMN installation TEXT")
    try rows.execute("ALTER TABLE message ADD COLUMN parameters BLOB")
    try rows.execute(
      """
      CREATE TABLE upload (
        hash TEXT NOT NULL, type TEXT NOT NULL, media BLOB, token TEXT, updated INTEGER NOT NULL,
        PRIMARY KEY (hash, type)) STRICT, WITHOUT ROWID
      """)
  }

  /// What was cleared is known by its time, and what the server had before it was set back is found fast.
  private static let toEpochs = Migration(to: 5, "epochs") { rows in
    try rows.execute("ALTER TABLE conversation ADD COLUMN cleared_time INTEGER")
    try rows.execute(
      """
      UPDATE conversation SET cleared_time = coalesce(
        (SELECT max(time) FROM message WHERE conversation = conversation.id AND rank = floor),
        (SELECT min(time) - 1 FROM message WHERE conversation = conversation.id AND rank = floor + 1),
        CASE WHEN NOT EXISTS (SELECT 1 FROM message
          WHERE conversation = conversation.id AND rank > floor AND rank < ?) THEN last_activity END)
      WHERE floor > ?
      """, Rank.firstUnsent, Rank.lowest)
    try rows.execute(
      """
      CREATE INDEX message_conversation_sender_status_time_partial ON message (conversation, sender, status, time) \
      WHERE rank < -1
      """)
  }

  /// Messages and conversations can be deleted on this device alone.
  private static func addHiding(_ rows: WriteTransaction) throws {
    try rows.execute("ALTER TABLE message ADD COLUMN is_hidden INTEGER NOT NULL DEFAULT 0")
    try rows.execute("ALTER TABLE conversation ADD COLUMN is_hidden INTEGER NOT NULL DEFAULT 0")
  }

  /// The contact list and its version; what failed is found without looking at every message.
  private static func addContacts(_ rows: WriteTransaction) throws {
    try rows.execute(
      """
      CREATE TABLE contact (
        id TEXT NOT NULL, type TEXT NOT NULL, name TEXT NOT NULL, remark TEXT, avatar TEXT,
        is_muted INTEGER, is_pinned INTEGER, removed INTEGER, version INTEGER NOT NULL,
        PRIMARY KEY (id)) STRICT, WITHOUT ROWID
      """)
    try rows.execute("ALTER TABLE account ADD COLUMN contact_version TEXT")
    try rows.execute("CREATE INDEX message_status_partial ON message (status) WHERE status > 2")
  }

  /// By how much the device's clock was behind the server's.
  private static func addClock(_ rows: WriteTransaction) throws {
    try rows.execute("ALTER TABLE account ADD COLUMN clock_offset INTEGER NOT NULL DEFAULT 0")
  }

  /// Several processes take turns with the server, and know what another has changed.
  private static func addProcesses(_ rows: WriteTransaction) throws {
    try rows.execute("ALTER TABLE conversation ADD COLUMN version INTEGER NOT NULL DEFAULT 0")
    try rows.execute(
      """
      CREATE TABLE lease (
        id INTEGER NOT NULL, fence INTEGER NOT NULL, question INTEGER NOT NULL, answer INTEGER NOT NULL,
        PRIMARY KEY (id)) STRICT
      """)
    try rows.execute(
      """
      CREATE TABLE merged (
        conversation INTEGER NOT NULL, target INTEGER NOT NULL, version INTEGER NOT NULL,
        PRIMARY KEY (conversation)) STRICT
      """)
  }

  /// A span knows where paging goes on above it.
  private static func addTokens(_ rows: WriteTransaction) throws {
    try rows.execute("ALTER TABLE span ADD COLUMN upper_token TEXT")
  }

  /// A group has the key of its opening, and keeps it when the opening fails.
  private static func keepOpeningKeys(_ rows: WriteTransaction) throws {
    try rows.execute("ALTER TABLE conversation ADD COLUMN opening_key TEXT")
    try rows.execute(
      """
      UPDATE conversation SET opening_key = (
        SELECT json_extract(CAST(parameters AS TEXT), '$.group.id') FROM operation
        WHERE operation.conversation = conversation.id AND kind = 'open'
          AND json_valid(CAST(parameters AS TEXT)))
      """)
  }

  /// What waits for a message is found without reading the whole outbox.
  private static func indexDependents(_ rows: WriteTransaction) throws {
    try rows.execute(
      "CREATE INDEX operation_depends_on_partial ON operation (depends_on) WHERE depends_on IS NOT NULL")
  }
}
