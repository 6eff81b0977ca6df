import Skein

extension Fault {
  static let mentions: [Fault] = [
    Fault(
      description: "Mentions are not returned", caughtBy: ["The mentions of"],
      message: { message, _ in message.mentions = Mentions.nobody }),
    Fault(
      description: "A recalled message keeps its mentions",
      caughtBy: ["The mentions of", "A recalled message mentions"],
      message: { message, _ in message.mentions = Mentions(everyone: true) }),
    Fault(
      description: "Every unread message counts as a mention", caughtBy: ["A count of"],
      sync: { batch, _ in
        for index in batch.conversations.indices {
          batch.conversations[index].unreadMentions = batch.conversations[index].unread
        }
      }),
  ]
}
