import Skein

extension Fault {
  static let mentions: [Fault] = [
    Fault(
      description: "Nobody hears whom a message calls", caughtBy: ["The mentions of"],
      message: { message, _ in message.mentions = Mentions.nobody }),
    Fault(
      description: "A message calls everyone for good",
      caughtBy: ["The mentions of", "A recalled message mentions"],
      message: { message, _ in message.mentions = Mentions(everyone: true) }),
    Fault(
      description: "Every unread message is said to call", caughtBy: ["A count of"],
      sync: { batch, _ in
        for index in batch.conversations.indices {
          batch.conversations[index].unreadMentions = batch.conversations[index].unread
        }
      }),
  ]
}
