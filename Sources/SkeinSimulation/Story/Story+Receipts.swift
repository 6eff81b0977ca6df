import Skein
import SkeinStorage

extension Story {
  /// Checks that a device shows the server's delivery and read receipts of the other members. If pages have another order
  /// than syncs, the message that a mark names does not show which of its neighbours were read.
  func checkReceipts(in chat: ConversationID, _ info: ConversationInfo, on device: Device) {
    guard !server.order.reorders, let receipts = device.chat(chat)?.receipts else { return }
    let theirs = (info.receipts ?? []).sorted { $0.user.rawValue < $1.user.rawValue }.compactMap { receipt in
      Self.text(
        receipt.user, receipt.delivered?.position?.rawValue ?? 0, receipt.read?.position?.rawValue ?? 0)
    }
    let marks = device.numbers(of: receipts.marks, in: chat).compactMap { mark in
      Self.text(mark.user, mark.delivered, mark.read)
    }
    ledger.expect(
      marks == theirs, "M1",
      "\(device.name) has the receipts \(marks) of others in \(info.ref.rawValue), the server \(theirs)")
  }

  /// A member's receipt; nil if the member has received nothing.
  private static func text(_ user: UserID, _ delivered: Int64, _ read: Int64) -> String? {
    let delivered = max(delivered, read)
    return delivered > 0 ? "\(user): \(delivered), \(max(read, 0))" : nil
  }
}

extension Device {
  /// The numbers of the messages up to which the other members have received and read. A mark that waits names a
  /// message that is not stored here.
  fileprivate func numbers(of marks: [Receipts.Mark], in chat: ConversationID)
    -> [(user: UserID, delivered: Int64, read: Int64)]
  {
    let found = try? inspect { [server] rows in
      let id = chat.rawValue
      let waiting = try rows.rows(
        (UserID.self, ServerMessageID?.self, ServerMessageID?.self),
        "SELECT user, waiting_delivered, waiting_read FROM member WHERE conversation = ?", id)
      return try marks.map { mark in
        let names = waiting.first { $0.0 == mark.user }
        return (
          mark.user,
          try names?.1?.position ?? server.order.number(upTo: mark.delivered.rawValue, in: id, rows),
          try names?.2?.position ?? server.order.number(upTo: mark.read.rawValue, in: id, rows)
        )
      }
    }
    return found ?? []
  }
}
