import Skein
import SkeinStorage

/// Queries of the device's database for the check of intentions.
extension Device {
  /// The server's revision of a message, as this device knows it; nil if the message is not stored or the
  /// database can't be read.
  func revision(of id: LocalMessageID) -> Int64? {
    let revision = try? inspect { rows in
      try rows.scalar(Int64.self, "SELECT revision FROM message WHERE id = ?", id)
    }
    return revision ?? nil
  }

  /// Whether the outbox has an operation that sends or changes a message; true if the database can't be read.
  func isRevising(_ target: Intention.Target) -> Bool {
    let count = try? inspect { rows in
      try rows.scalar(
        Int.self,
        """
        SELECT count(*) FROM message JOIN operation ON message.id IN (operation.target, operation.message)
        WHERE message.message_id = ? AND message.sender = ?
        """, target.message, target.sender)
    }
    return (count ?? 1) != 0
  }

  /// Whether a message shows a failure.
  func hasFailure(_ target: Intention.Target) -> Bool {
    let code = try? inspect { rows in
      try rows.scalar(
        String.self, "SELECT failure_code FROM message WHERE message_id = ? AND sender = ?",
        target.message, target.sender)
    }
    return (code ?? nil) != nil
  }

  /// The number of the newest message of others that belongs to the current epoch and was not deleted on
  /// this device; nil if there is none or the database can't be read.
  func newestOfOthers(in chat: ConversationID) -> Int64? {
    let newest = try? inspect { rows in
      try rows.scalar(
        ServerMessageID.self,
        """
        SELECT server_id FROM message
        WHERE conversation = ? AND sender <> ? AND rank > 0 AND is_hidden = 0 AND server_id IS NOT NULL
        ORDER BY rank DESC, id DESC LIMIT 1
        """, chat, user)
    }
    return (newest ?? nil)?.position
  }

  var storedEpoch: String? { stored("epoch") }
  var storedContactVersion: String? { stored("contact_version") }

  private func stored(_ column: String) -> String? {
    let value = try? inspect { rows in try rows.scalar(String.self, "SELECT \(column) FROM account") }
    return value ?? nil
  }
}
