import SkeinStorage

extension WriteTransaction {
  /// Takes away what version 5 brought.
  func dropRevisions() throws {
    for table in ["revision", "mention"] { try execute("DROP TABLE \(table)") }
    try execute("DROP INDEX message_conversation_revised_partial")
    try execute("DROP INDEX session_refresh")
    for column in ["refresh", "ends"] { try execute("ALTER TABLE session DROP COLUMN \(column)") }
    try execute("ALTER TABLE conversation DROP COLUMN receipts")
    try execute("ALTER TABLE member DROP COLUMN delivered")
    for column in ["revision", "edited", "reactions", "revised", "reply_to", "mentions"] {
      try execute("ALTER TABLE message DROP COLUMN \(column)")
    }
  }
}
