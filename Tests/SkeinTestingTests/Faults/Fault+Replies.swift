import Foundation
import Skein

extension Fault {
  static let replies: [Fault] = [
    Fault(
      description: "Replies are returned without their quote",
      caughtBy: ["A reply is", "The quoted content", "The content of"],
      message: { message, _ in message.quote = nil }),
    Fault(
      description: "Every message is a reply", caughtBy: ["A reply is", "A recalled reply"],
      message: { message, _ in message.quote = message.quote ?? IncomingQuote(message: message.reference) }),
    Fault(
      description: "A reply names another message", caughtBy: ["A reply is"],
      message: { message, _ in
        message.quote?.message.serverID = ServerMessageID(rawValue: "another")
        message.quote?.message.messageID = MessageID(rawValue: "another")
      }),
    Fault(
      description: "The quoted content is not that of the message", caughtBy: ["The quoted content"],
      message: { message, _ in if message.quote?.payload != nil { message.quote?.payload = Data("{}".utf8) } }
    ),
    Fault(
      description: "The quoted content is kept after a recall",
      caughtBy: ["The content of"],
      message: { message, _ in if message.quote?.kind != nil { message.quote?.kind = "text" } }),
    Fault(
      description: "A recalled reply stays a reply", caughtBy: ["A recalled reply"],
      message: { message, _ in
        if message.kind == RecalledContent.kind { message.quote = IncomingQuote(message: message.reference) }
      }),
  ]
}
