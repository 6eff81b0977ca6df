import Skein

extension Story {
  /// Checks that a device has the server's delivery and read receipts of the other members.
  func checkReceipts(in chat: ConversationID, _ info: ConversationInfo, on device: Device) {
    guard let receipts = device.chat(chat)?.receipts else { return }
    let marks = receipts.positions.filter { $0.delivered?.rawValue ?? 0 > 0 || $0.read?.rawValue ?? 0 > 0 }
    let theirs = (server.order.shown(info).receipts ?? []).sorted { $0.user.rawValue < $1.user.rawValue }
    ledger.expect(
      marks.map(Self.text) == theirs.map(Self.text), "M1",
      "\(device.name) has the receipts \(marks.map(Self.text)) of others in \(info.ref.rawValue), "
        + "the server \(theirs.map(Self.text))")
  }

  private static func text(_ receipt: MemberReceipt) -> String {
    "\(receipt.user): \(max(receipt.delivered?.rawValue ?? 0, 0)), \(max(receipt.read?.rawValue ?? 0, 0))"
  }
}
