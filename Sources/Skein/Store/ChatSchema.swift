import SkeinStorage

/// The tables of an account's database, and the migrations of older databases.
enum ChatSchema {
  static let current = Schema(
    version: 15,
    tables: [
      AccountRow.table, ConversationRow.table, MemberRow.table, MessageRow.table, SpanRow.table,
      OperationRow.table, UploadRow.table, ContactRow.table, LeaseRow.table, MergedRow.table,
      AbsentMessageRow.table, ReplyRow.table, SearchTable.table,
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
      toRevisions,
      toPins,
      toFlags,
      toCoveringIndexes,
      toUnsyncedAttempts,
      Migration(to: 11, "marks that wait for their messages") { rows in
        try rows.execute("ALTER TABLE conversation ADD COLUMN waiting_read_mark TEXT")
        for mark in ["delivered", "read"] {
          try rows.execute("ALTER TABLE member ADD COLUMN waiting_\(mark) TEXT")
        }
      },
      Migration(to: 12, "estimated times") { rows in
        try rows.execute("ALTER TABLE message ADD COLUMN is_time_estimated INTEGER NOT NULL DEFAULT 0")
      },
      Migration(to: 13, "invitations") { rows in
        for column in ["invitation", "inviter"] {
          try rows.execute("ALTER TABLE conversation ADD COLUMN \(column) TEXT")
        }
        // A token of the newest page may omit messages that a server lists before the page's end: see
        // `BackendCapabilities.reordersHistory`. Without a token, the gap above a span is filled from above.
        try rows.execute("UPDATE span SET upper_token = NULL")
      },
      Migration(to: 14, "times of closing, doubted openings") { rows in
        try rows.execute("ALTER TABLE conversation ADD COLUMN closed INTEGER")
        // Attempts to open or leave a conversation were not recorded.
        try rows.execute("UPDATE operation SET outcome_is_unknown = 1 WHERE kind IN ('open', 'leave')")
      },
      Migration(to: 15, "settings on all devices") { rows in
        for column in ["is_marked_unread", "server_settings", "unconfirmed_settings"] {
          try rows.execute("ALTER TABLE conversation ADD COLUMN \(column) INTEGER NOT NULL DEFAULT 0")
        }
        // A server that stores settings receives those that were made before.
        try rows.execute(
          "UPDATE conversation SET unconfirmed_settings = is_muted * ? + is_pinned * ?",
          BackendCapabilities.Settings.muted, BackendCapabilities.Settings.pinned)
        try rows.execute(
          """
          CREATE INDEX conversation_id_unconfirmed_settings_partial ON conversation (id, unconfirmed_settings) \
          WHERE unconfirmed_settings <> 0
          """)
      },
    ])

  /// Adds dependencies and parking of operations, parameters of messages, the installation's name, and
  /// uploads that can be resumed.
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

  /// Adds the time of a clearing, and an index for messages of earlier epochs.
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

  /// Adds actions on messages, replies, mentions, receipts, and the search index.
  private static let toRevisions = Migration(to: 6, "revisions, replies, mentions, receipts and search") {
    rows in
    try addRevisions(rows)
    try addReplies(rows)
    try addMentions(rows)
    try addReceipts(rows)
    try addSearch(rows)
  }

  /// Adds pins to messages and to absent messages.
  private static let toPins = Migration(to: 7, "pins") { rows in
    try rows.execute("ALTER TABLE message ADD COLUMN pinned INTEGER")
    try rows.execute(
      "CREATE INDEX message_conversation_pinned_partial ON message (conversation, pinned) WHERE pinned IS NOT NULL"
    )
    try rows.execute("ALTER TABLE revised ADD COLUMN pinned INTEGER")
    try rows.execute("ALTER TABLE revised ADD COLUMN sender TEXT NOT NULL DEFAULT ''")
    try rows.execute("ALTER TABLE revised ADD COLUMN message_id TEXT")
    try rows.execute("ALTER TABLE revised ADD COLUMN time INTEGER NOT NULL DEFAULT 0")
  }

  /// Replaces pins with flags: a pin becomes the flag `pin`.
  private static let toFlags = Migration(to: 8, "flags") { rows in
    try rows.execute("DROP INDEX message_conversation_pinned_partial")
    for table in ["message", "revised"] {
      try rows.execute("ALTER TABLE \(table) ADD COLUMN flags BLOB")
      try rows.execute(
        "UPDATE \(table) SET flags = CAST(json_object('pin', pinned) AS BLOB) WHERE pinned IS NOT NULL")
      try rows.execute("ALTER TABLE \(table) DROP COLUMN pinned")
    }
    try rows.execute(
      "CREATE INDEX message_conversation_partial ON message (conversation) WHERE flags IS NOT NULL")
    // Message contents in this JSON are encoded in Base64, so no content can contain the replaced text.
    for isSet in ["true", "false"] {
      try rows.execute(
        """
        UPDATE operation SET parameters = CAST(replace(CAST(parameters AS TEXT), ?, ?) AS BLOB)
        WHERE kind = 'revise'
        """, #""pin":{"isSet":\#(isSet)}"#, #""flag":{"_0":"pin","isSet":\#(isSet)}"#)
      try rows.execute(
        """
        UPDATE message SET pending = CAST(replace(CAST(pending AS TEXT), ?, ?) AS BLOB)
        WHERE pending IS NOT NULL
        """, #""pin":\#(isSet)"#, #""flags":[{"flag":"pin","isSet":\#(isSet)}]"#)
    }
  }

  /// Replaces the indexes for the unread counts with covering indexes, and adds indexes for two queries of
  /// conversations.
  private static let toCoveringIndexes = Migration(to: 9, "covering indexes") { rows in
    try rows.execute("DROP INDEX message_conversation_rank_partial")
    try rows.execute("DROP INDEX message_conversation_rank_is_hidden_partial")
    for column in ["is_counted", "is_mention"] {
      try rows.execute(
        """
        CREATE INDEX message_conversation_\(column)_rank_is_hidden_partial \
        ON message (conversation, \(column), rank, is_hidden) WHERE \(column) = 1
        """)
    }
    try rows.execute(
      """
      CREATE INDEX message_conversation_rank_partial ON message (conversation, rank) \
      WHERE is_counted = 1 AND is_hidden = 1
      """)
    try rows.execute(
      "CREATE INDEX conversation_opening_key_partial ON conversation (opening_key) WHERE opening_key IS NOT NULL"
    )
    try rows.execute(
      "CREATE INDEX conversation_id_partial ON conversation (id) WHERE pending_read_mark IS NOT NULL")
  }

  /// Adds the note of attempts that are not synchronized (``AccountRow/unsyncedBoot``), and an index for the
  /// first conversations of the list.
  private static let toUnsyncedAttempts = Migration(to: 10, "attempts that are not synchronized") { rows in
    try rows.execute("ALTER TABLE account ADD COLUMN unsynced_boot TEXT")
    try rows.execute(
      """
      CREATE INDEX conversation_is_pinned_last_activity_is_muted_unread_count_partial \
      ON conversation (is_pinned, last_activity, is_muted, unread_count) \
      WHERE is_closed = 0 AND is_hidden = 0
      """)
  }

  /// Adds edits, reactions and unconfirmed actions to messages, targets to operations, and the states of
  /// absent messages.
  private static func addRevisions(_ rows: WriteTransaction) throws {
    try rows.execute("ALTER TABLE message ADD COLUMN edited INTEGER")
    try rows.execute("ALTER TABLE message ADD COLUMN reactions BLOB")
    try rows.execute("ALTER TABLE message ADD COLUMN pending BLOB")
    try rows.execute("ALTER TABLE operation ADD COLUMN target INTEGER")
    try rows.execute(
      "CREATE INDEX operation_target_partial ON operation (target) WHERE target IS NOT NULL")
    try rows.execute(
      """
      CREATE TABLE revised (
        conversation INTEGER NOT NULL, server_id TEXT NOT NULL, revision INTEGER NOT NULL, kind TEXT NOT NULL,
        payload BLOB NOT NULL, edited INTEGER, reactions BLOB, parameters BLOB,
        PRIMARY KEY (conversation, server_id)) STRICT, WITHOUT ROWID
      """)
  }

  /// Adds the quotes in replies, and the targets of replies. A target may be received after its reply.
  private static func addReplies(_ rows: WriteTransaction) throws {
    try rows.execute("ALTER TABLE message ADD COLUMN quote BLOB")
    try rows.execute(
      """
      CREATE TABLE reply (
        message INTEGER NOT NULL, conversation INTEGER NOT NULL, target INTEGER, sender TEXT NOT NULL,
        message_id TEXT, server_id TEXT, PRIMARY KEY (message)) STRICT
      """)
    try rows.execute("CREATE INDEX reply_conversation ON reply (conversation)")
    try rows.execute("CREATE INDEX reply_target_partial ON reply (target) WHERE target IS NOT NULL")
    try rows.execute(
      """
      CREATE INDEX reply_conversation_sender_message_id_partial ON reply (conversation, sender, message_id) \
      WHERE target IS NULL
      """)
    try rows.execute(
      """
      CREATE INDEX reply_conversation_server_id_partial ON reply (conversation, server_id) \
      WHERE target IS NULL
      """)
  }

  /// Adds the mentions in messages, and the numbers of unread messages that mention this account.
  private static func addMentions(_ rows: WriteTransaction) throws {
    try rows.execute("ALTER TABLE message ADD COLUMN mentions BLOB")
    try rows.execute("ALTER TABLE message ADD COLUMN is_mention INTEGER NOT NULL DEFAULT 0")
    try rows.execute(
      """
      CREATE INDEX message_conversation_rank_is_hidden_partial ON message (conversation, rank, is_hidden) \
      WHERE is_mention = 1
      """)
    try rows.execute("ALTER TABLE conversation ADD COLUMN unread_mentions INTEGER NOT NULL DEFAULT 0")
    try rows.execute("ALTER TABLE conversation ADD COLUMN mentions_in_gaps INTEGER NOT NULL DEFAULT 0")
  }

  /// Adds the receipts of the members of a conversation.
  private static func addReceipts(_ rows: WriteTransaction) throws {
    for column in ["delivered", "read"] {
      try rows.execute("ALTER TABLE member ADD COLUMN \(column) INTEGER NOT NULL DEFAULT 0")
    }
    try rows.execute("UPDATE member SET delivered = ?1, read = ?1", Rank.lowest)
  }

  /// Adds the search index; messages already stored are indexed later.
  private static func addSearch(_ rows: WriteTransaction) throws {
    try rows.execute(
      "CREATE VIRTUAL TABLE `message_search` USING fts5(text, chat, tokenize = 'unicode61 remove_diacritics 2')"
    )
    try rows.execute("ALTER TABLE message ADD COLUMN search_id INTEGER")
    try rows.execute(
      "CREATE UNIQUE INDEX message_search_id_partial ON message (search_id) WHERE search_id IS NOT NULL")
    try rows.execute("ALTER TABLE account ADD COLUMN unindexed_below INTEGER NOT NULL DEFAULT 0")
    try rows.execute("UPDATE account SET unindexed_below = next_message")
  }

  /// Adds the marks of messages and conversations that were deleted on this device only.
  private static func addHiding(_ rows: WriteTransaction) throws {
    try rows.execute("ALTER TABLE message ADD COLUMN is_hidden INTEGER NOT NULL DEFAULT 0")
    try rows.execute("ALTER TABLE conversation ADD COLUMN is_hidden INTEGER NOT NULL DEFAULT 0")
  }

  /// Adds the contact list and its version, and an index for failed and uncertain messages.
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

  /// Adds the time by which the device's clock was behind the server's clock.
  private static func addClock(_ rows: WriteTransaction) throws {
    try rows.execute("ALTER TABLE account ADD COLUMN clock_offset INTEGER NOT NULL DEFAULT 0")
  }

  /// Adds the lease, and the versions by which processes find each other's changes.
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

  /// Adds the upper paging token of a span.
  private static func addTokens(_ rows: WriteTransaction) throws {
    try rows.execute("ALTER TABLE span ADD COLUMN upper_token TEXT")
  }

  /// Adds the opening key of a group. The group's row keeps the key even if opening the group fails.
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

  /// Adds an index for the operations that wait for a message.
  private static func indexDependents(_ rows: WriteTransaction) throws {
    try rows.execute(
      "CREATE INDEX operation_depends_on_partial ON operation (depends_on) WHERE depends_on IS NOT NULL")
  }
}
