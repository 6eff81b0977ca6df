import Skein

extension Story {
  /// A device knows of each other member how far they are, as the server does, and that is as far as their devices are.
  func checkReceipts(in chat: ConversationID, _ info: ConversationInfo, on device: Device) {
    guard let receipts = device.chat(chat)?.receipts else { return }
    let marks = receipts.positions.filter { $0.delivered?.rawValue ?? 0 > 0 || $0.read?.rawValue ?? 0 > 0 }
    let theirs = (info.receipts ?? []).sorted { $0.user.rawValue < $1.user.rawValue }
    ledger.expect(
      marks.map(Self.text) == theirs.map(Self.text), "M1",
      "\(device.name) takes others in \(info.ref.rawValue) to be at \(marks.map(Self.text)), "
        + "the server at \(theirs.map(Self.text))")
  }

  private static func text(_ receipt: MemberReceipt) -> String {
    "\(receipt.user): \(max(receipt.delivered?.rawValue ?? 0, 0)), \(max(receipt.read?.rawValue ?? 0, 0))"
  }
}
