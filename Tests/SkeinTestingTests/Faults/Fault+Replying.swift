import Foundation
import Skein

extension Fault {
  static let replying: [Fault] = [
    Fault(
      description: "Nobody hears what a reply is to",
      caughtBy: ["A reply is handed", "What is handed", "Nothing that a recalled"],
      message: { message, _ in message.quote = nil }),
    Fault(
      description: "Every message is a reply", caughtBy: ["A reply is handed", "A reply that is recalled"],
      message: { message, _ in message.quote = message.quote ?? IncomingQuote(message: message.reference) }),
    Fault(
      description: "A reply names another message", caughtBy: ["A reply is handed"],
      message: { message, _ in
        message.quote?.message.serverID = ServerMessageID(rawValue: "another")
        message.quote?.message.messageID = MessageID(rawValue: "another")
      }),
    Fault(
      description: "What comes with a reply is not what its message says", caughtBy: ["What is handed"],
      message: { message, _ in if message.quote?.payload != nil { message.quote?.payload = Data("{}".utf8) } }
    ),
    Fault(
      description: "What comes with a reply does not say that it was recalled",
      caughtBy: ["Nothing that a recalled"],
      message: { message, _ in if message.quote?.kind != nil { message.quote?.kind = "text" } }),
    Fault(
      description: "A recalled reply is one still", caughtBy: ["A reply that is recalled"],
      message: { message, _ in
        if message.kind == RecalledContent.kind { message.quote = IncomingQuote(message: message.reference) }
      }),
  ]
}
