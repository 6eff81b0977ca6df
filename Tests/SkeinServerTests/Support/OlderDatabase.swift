import SkeinStorage

extension WriteTransaction {
  /// Takes away what version 5 brought.
  func dropRevisions() throws {
    try execute("DROP TABLE revision")
    try execute("DROP INDEX message_conversation_revised_partial")
    for column in ["revision", "edited", "reactions", "revised"] {
      try execute("ALTER TABLE message DROP COLUMN \(column)")
    }
  }
}
