import Skein

extension Fault {
  static let receiving: [Fault] = [
    Fault(
      description: "The first conversation is left out", caughtBy: ["A sync from"],
      sync: { batch, _ in batch.conversations = Array(batch.conversations.dropFirst()) }),
    Fault(
      description: "A batch does not say what it answers", caughtBy: ["A batch names"],
      sync: { batch, _ in batch.from = nil }),
    Fault(
      description: "A batch names where it ends", caughtBy: ["A batch names"],
      sync: { batch, _ in batch.from = batch.next }),
    Fault(
      description: "What was fetched is gone", caughtBy: ["A cursor stays"],
      sync: { batch, memory in
        if memory.with({ [from = batch.from] in $0.asked.contains(from) }) { batch.conversations = [] }
      }),
    Fault(
      description: "A message is handed over twice",
      caughtBy: ["A sync returns", "A chain of", "A message that is sent once"],
      sync: { batch, _ in
        for index in batch.conversations.indices {
          batch.conversations[index].messages += batch.conversations[index].messages.suffix(1)
        }
      }),
    Fault(
      description: "Every sync begins at the beginning", caughtBy: ["A sync without"],
      syncRequest: { request, _ in request.since = nil }),
    Fault(
      description: "There is never more", caughtBy: ["A chain of"],
      sync: { batch, _ in batch.hasMore = false }),
    Fault(
      description: "There is always more", caughtBy: ["A chain of", "A sync without"],
      sync: { batch, _ in batch.hasMore = true }),
    Fault(
      description: "The count is of what was handed over", caughtBy: ["A limit omits"],
      sync: { batch, _ in
        for index in batch.conversations.indices {
          batch.conversations[index].count = batch.conversations[index].messages.count
        }
      }),
    Fault(
      description: "A limit of a sync means nothing", caughtBy: ["A limit omits"],
      syncRequest: { request, _ in request.limit = 1000 }),
    Fault(
      description: "Paging back leaves out the message before the anchor",
      caughtBy: ["Messages omitted by", "Paging back returns"],
      page: { page, _ in
        if !page.reachesEnd { page.messages = page.messages.dropLast() }
      }),
    Fault(
      description: "One's own messages are left out", caughtBy: ["An account's own messages"],
      sync: { batch, memory in
        for index in batch.conversations.indices {
          batch.conversations[index].messages.removeAll { $0.sender == memory.user }
        }
      }),
    Fault(
      description: "A cursor runs ahead of what came with it", caughtBy: ["Messages that are"], tries: 50,
      flaws: [.cursorRunsAhead]),
    Fault(
      description: "Unread counts one too many", caughtBy: ["An unread count, if stated, is"],
      sync: { batch, _ in
        for index in batch.conversations.indices {
          batch.conversations[index].unread = batch.conversations[index].unread.map { $0 + 1 }
        }
      }),
    Fault(
      description: "A message that does not count is said to count",
      caughtBy: ["An unread count, if stated, includes"],
      message: { message, _ in message.isCountable = true }),
    Fault(
      description: "Unread never falls", caughtBy: ["An unread count, if stated, starts"],
      sync: { batch, memory in
        for index in batch.conversations.indices {
          let unread = batch.conversations[index].unread ?? 0
          batch.conversations[index].unread = memory.with { state in
            state.highestUnread = max(state.highestUnread, unread)
            return state.highestUnread
          }
        }
      }),
    Fault(
      description: "A cursor that nobody gave is refused for good", caughtBy: ["An unknown cursor"],
      error: { error, _ in if error.code == .cursorRejected { error = error.with(.permanent) } }),
    Fault(
      description: "The time of a batch is that of its start", caughtBy: ["The server's time"],
      sync: { batch, _ in batch.time = Timestamp(milliseconds: 1) }),
    Fault(
      description: "A sync waits for its answer whatever happens", caughtBy: ["A cancelled sync"],
      vainWait: "had not ended",
      flaws: [.syncIgnoresCancellation]),
    Fault(
      description: "What other clients posted is left out", caughtBy: ["A message posted"],
      sync: { batch, memory in
        let sent = memory.with { Set($0.sent.keys) }
        for index in batch.conversations.indices {
          batch.conversations[index].messages.removeAll { $0.messageID.map { !sent.contains($0) } ?? true }
        }
      }),
  ]

  static let push: [Fault] = [
    Fault(
      description: "The push channel never says that it is connected", caughtBy: ["The push channel reports"],
      vainWait: "to connect", event: { event, _ in event == .connected ? nil : event }),
    Fault(
      description: "The push channel begins with a poke", caughtBy: ["The push channel reports"],
      event: { event, _ in event == .connected ? .poke : event }),
    Fault(
      description: "There is one poke and no more",
      caughtBy: ["Each message that", "A device that"],
      vainWait: "to announce",
      event: { event, memory in
        let count = memory.with { state in
          state.events += event == .connected ? 0 : 1
          return state.events
        }
        return count > 1 ? nil : event
      }),
    Fault(
      description: "Nobody hears of what they sent", caughtBy: ["An account's own message is"],
      vainWait: "to announce",
      event: { event, memory in
        event != .connected && memory.with { $0.lastSender } == memory.user ? nil : event
      }),
    Fault(
      description: "The push channel does not notice that its connection is gone",
      caughtBy: [
        "The push channel ends with", "The push channel ends when", "A push channel",
      ],
      vainWait: "to end with", flaws: [.runOutlivesConnection]),
    Fault(
      description: "The push channel goes on when it is cancelled", caughtBy: ["A cancelled push"],
      vainWait: "had not ended", flaws: [.runIgnoresCancellation]),
  ]
}
