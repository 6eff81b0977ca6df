import SkeinStorage

extension WriteTransaction {
  /// Removes everything that versions 5 to 9 added.
  func dropRevisions() throws {
    try execute("DROP INDEX message_conversation_pinned_partial")
    for table in ["revision", "mention", "star"] { try execute("DROP TABLE \(table)") }
    try execute("DROP INDEX message_conversation_revised_partial")
    try execute("DROP INDEX session_refresh")
    for column in ["refresh", "ends"] { try execute("ALTER TABLE session DROP COLUMN \(column)") }
    try execute("ALTER TABLE conversation DROP COLUMN receipts")
    try execute("ALTER TABLE member DROP COLUMN delivered")
    try dropSettings()
    for column in [
      "pinned", "revision", "edited", "reactions", "revised", "reply_to", "mentions", "is_countable",
    ] {
      try execute("ALTER TABLE message DROP COLUMN \(column)")
    }
  }

  /// Removes everything that version 9 added.
  func dropSettings() throws {
    for column in ["is_muted", "is_pinned", "is_marked_unread"] {
      try execute("ALTER TABLE member DROP COLUMN \(column)")
    }
  }
}
