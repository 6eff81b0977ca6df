import Skein

extension Fault {
  static let receipts: [Fault] = [
    Fault(
      description: "Receipts are not returned",
      caughtBy: ["Read receipts are", "Delivery receipts are", "A receipt never"],
      info: { info, _ in info.receipts = nil }),
    Fault(
      description: "Receipts include the account itself", caughtBy: ["A receipt never"],
      info: { info, memory in
        info.receipts?.append(MemberReceipt(user: memory.user, delivered: nil, read: nil))
      }),
    Fault(
      description: "A read receipt names the last message", caughtBy: ["Read receipts are"],
      info: { info, _ in
        info.receipts = info.receipts?.map { receipt in
          var receipt = receipt
          if let read = receipt.read?.position?.rawValue, read > 0 {
            receipt.read = MessageMark(position: Position(rawValue: read + 1))
          }
          return receipt
        }
      }),
  ]
}
