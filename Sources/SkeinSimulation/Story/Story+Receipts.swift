import Skein

extension Story {
  /// Checks that a device has the server's delivery and read receipts of the other members.
  func checkReceipts(in chat: ConversationID, _ info: ConversationInfo, on device: Device) {
    guard let receipts = device.chat(chat)?.receipts else { return }
    let order = server.order
    let marks = receipts.marks.compactMap { mark in
      Self.text(
        mark.user, order.number(upTo: mark.delivered.rawValue), order.number(upTo: mark.read.rawValue))
    }
    let theirs = (info.receipts ?? []).sorted { $0.user.rawValue < $1.user.rawValue }.compactMap { receipt in
      Self.text(
        receipt.user, receipt.delivered?.position?.rawValue ?? 0, receipt.read?.position?.rawValue ?? 0)
    }
    ledger.expect(
      marks == theirs, "M1",
      "\(device.name) has the receipts \(marks) of others in \(info.ref.rawValue), the server \(theirs)")
  }

  /// A member's receipt; nil if the member has received nothing.
  private static func text(_ user: UserID, _ delivered: Int64, _ read: Int64) -> String? {
    max(delivered, read) > 0 ? "\(user): \(max(delivered, 0)), \(max(read, 0))" : nil
  }
}
