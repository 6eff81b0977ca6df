import Foundation
import Skein

extension Fault {
  static let sending: [Fault] = [
    Fault(
      description: "A space is added to the content",
      caughtBy: ["A message that is sent once", "Content is returned"],
      message: { message, _ in message.payload += Data(" ".utf8) }),
    Fault(
      description: "Long texts are truncated", caughtBy: ["Content is returned"],
      message: { message, _ in message.payload = message.payload.prefix(10_000) }),
    Fault(
      description: "An escaped zero is removed", caughtBy: ["Content that the"],
      message: { message, _ in
        let text = String(decoding: message.payload, as: UTF8.self)
        message.payload = Data(text.replacing("\\u0000", with: "").utf8)
      }),
    Fault(
      description: "Unknown kinds become texts", caughtBy: ["A message of"],
      message: { message, _ in message.kind = "text" }),
    Fault(
      description: "The sender is the requesting account",
      caughtBy: ["A message that is sent once", "An account's own messages"],
      message: { message, memory in message.sender = UserID(rawValue: "not \(memory.user)") }),
    Fault(
      description: "Message ids are not returned", caughtBy: ["A message is"],
      message: { message, _ in message.messageID = nil }),
    Fault(
      description: "Parameters are dropped", caughtBy: ["Parameters are returned"],
      message: { message, _ in message.parameters = [:] }),
    Fault(
      description: "Each attempt gets a new id",
      caughtBy: [
        "A message that is sent again has", "A message that is sent again after", "Message ids are",
      ],
      outgoing: { message, memory in message = message.with(id: MessageID(rawValue: "\(memory.next())")) }),
    Fault(
      description: "Whether a message counts is part of its content",
      caughtBy: ["A message sent again with another value"],
      outgoing: { message, _ in
        if !message.isCountable { message = message.with(id: MessageID(rawValue: "\(message.id.rawValue)x")) }
      }),
    Fault(
      description: "A conflict does not return the stored message", caughtBy: ["Other content under"],
      error: { error, _ in
        if error.code == .idInUse { error = BackendError(.idInUse, error.message) }
      }),
    Fault(
      description: "A conflict is a temporary failure", caughtBy: ["Other content under"],
      error: { error, _ in
        if error.code == .idInUse { error = error.with(.transient) }
      }),
    Fault(
      description: "Receipts name the position before", caughtBy: ["A receipt agrees"],
      receipt: { receipt, _ in
        receipt.position = receipt.position.map { Position(rawValue: $0.rawValue - 1) }
      }),
    Fault(
      description: "Receipts have a different server id", caughtBy: ["A receipt agrees"],
      receipt: { receipt, _ in receipt.serverID = ServerMessageID(rawValue: "made up") }),
    Fault(
      description: "Receipts have the device's time", caughtBy: ["A receipt agrees"],
      receipt: { receipt, _ in receipt.time = Timestamp(milliseconds: 1) }),
    Fault(
      description: "Positions fall", caughtBy: ["Positions rise from"],
      message: { message, _ in
        message.position = message.position.map { Position(rawValue: 1000 - $0.rawValue) }
      }),
    Fault(
      description: "Dense positions begin at 0", caughtBy: ["Positions rise from"],
      message: { message, _ in
        message.position = message.position.map { Position(rawValue: $0.rawValue - 1) }
      }),
    Fault(
      description: "Messages sent together are stored in another order",
      caughtBy: ["Several messages sent"],
      flaws: [.pipelinesBackwards]),
    Fault(
      description: "One of several concurrent sends is stored", caughtBy: ["Messages sent by"],
      flaws: [.dropsSendsAtOnce]),
    Fault(
      description: "A message under another sender's id is suppressed",
      caughtBy: ["Two senders can"],
      flaws: [.losesIDsOfOthers]),
    Fault(
      description: "A message under an id of another conversation is dropped",
      caughtBy: ["One sender can"], flaws: [.dropsIDsOfOtherConversations]),
    Fault(
      description: "Ids are truncated to 64 characters", caughtBy: ["An id may"],
      outgoing: { message, _ in
        message = message.with(id: MessageID(rawValue: String(message.id.rawValue.prefix(64))))
      }),
    Fault(
      description: "A lost answer has a known outcome", caughtBy: ["A send whose"],
      error: { error, _ in error = error.with(outcomeIsUnknown: false) }),
    Fault(
      description: "A send ignores cancellation", caughtBy: ["A cancelled send"],
      vainWait: "had not ended",
      flaws: [.sendIgnoresCancellation]),
    Fault(
      description: "A refusal is a temporary failure",
      caughtBy: [
        "A message to a conversation", "The history of", "The download of",
        "A message to a group",
      ],
      error: { error, _ in if error.code == .permanent { error = error.with(.transient) } }),
  ]
}
