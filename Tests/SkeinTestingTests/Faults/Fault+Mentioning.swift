import Skein

extension Fault {
  static let mentioning: [Fault] = [
    Fault(
      description: "Nobody hears whom a message calls", caughtBy: ["Whom a message calls"],
      message: { message, _ in message.mentions = Mentions.nobody }),
    Fault(
      description: "A message calls everyone for good",
      caughtBy: ["Whom a message", "A recalled message calls"],
      message: { message, _ in message.mentions = Mentions(everyone: true) }),
    Fault(
      description: "Every unread message is said to call", caughtBy: ["A count of unread messages that call"],
      sync: { batch, _ in
        for index in batch.conversations.indices {
          batch.conversations[index].unreadMentions = batch.conversations[index].unread
        }
      }),
  ]
}
