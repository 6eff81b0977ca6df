import Skein

extension Fault {
  static let receiving: [Fault] = [
    Fault(
      description: "The first conversation is omitted", caughtBy: ["A sync from"],
      sync: { batch, _ in batch.conversations = Array(batch.conversations.dropFirst()) }),
    Fault(
      description: "A batch does not name its start", caughtBy: ["A batch names"],
      sync: { batch, _ in batch.from = nil }),
    Fault(
      description: "A batch names its end as its start", caughtBy: ["A batch names"],
      sync: { batch, _ in batch.from = batch.next }),
    Fault(
      description: "A second sync from a cursor is empty", caughtBy: ["A cursor stays"],
      sync: { batch, memory in
        if memory.with({ [from = batch.from] in $0.asked.contains(from) }) { batch.conversations = [] }
      }),
    Fault(
      description: "A message is returned twice",
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
      description: "hasMore is never set", caughtBy: ["A chain of"],
      sync: { batch, _ in batch.hasMore = false }),
    Fault(
      description: "hasMore is always set", caughtBy: ["A chain of", "A sync without"],
      sync: { batch, _ in batch.hasMore = true }),
    Fault(
      description: "The count is that of the returned messages", caughtBy: ["A limit omits"],
      sync: { batch, _ in
        for index in batch.conversations.indices {
          batch.conversations[index].count = batch.conversations[index].messages.count
        }
      }),
    Fault(
      description: "The limit of a sync is ignored", caughtBy: ["A limit omits"],
      syncRequest: { request, _ in request.limit = 1000 }),
    Fault(
      description: "Paging back omits the message before the anchor",
      caughtBy: ["Messages omitted by", "Paging back returns"],
      page: { page, _ in
        if !page.reachesEnd { page.messages = page.messages.dropLast() }
      }),
    Fault(
      description: "An account's own messages are omitted", caughtBy: ["An account's own messages"],
      sync: { batch, memory in
        for index in batch.conversations.indices {
          batch.conversations[index].messages.removeAll { $0.sender == memory.user }
        }
      }),
    Fault(
      description: "A cursor is ahead of the returned messages", caughtBy: ["Messages that are"], tries: 50,
      flaws: [.cursorRunsAhead]),
    Fault(
      description: "The unread count is one too high", caughtBy: ["An unread count, if stated, is"],
      sync: { batch, _ in
        for index in batch.conversations.indices {
          batch.conversations[index].unread = batch.conversations[index].unread.map { $0 + 1 }
        }
      }),
    Fault(
      description: "A message that is not countable is returned as countable",
      caughtBy: ["An unread count, if stated, includes"],
      message: { message, _ in message.isCountable = true }),
    Fault(
      description: "The unread count never falls", caughtBy: ["An unread count, if stated, starts"],
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
      description: "An unknown cursor is refused permanently",
      caughtBy: ["An unknown cursor", "A server restored from a backup names"],
      error: { error, _ in if error.code == .cursorRejected { error = error.with(.permanent) } }),
    Fault(
      description: "The time of a batch is that of its start", caughtBy: ["The server's time"],
      sync: { batch, _ in batch.time = Timestamp(milliseconds: 1) }),
    Fault(
      description: "A sync ignores cancellation", caughtBy: ["A cancelled sync"],
      vainWait: "had not ended",
      flaws: [.syncIgnoresCancellation]),
    Fault(
      description: "Messages of other clients are omitted", caughtBy: ["A message posted"],
      sync: { batch, memory in
        let sent = memory.with { Set($0.sent.keys) }
        for index in batch.conversations.indices {
          batch.conversations[index].messages.removeAll { $0.messageID.map { !sent.contains($0) } ?? true }
        }
      }),
  ]

  static let push: [Fault] = [
    Fault(
      description: "The push channel never reports connected", caughtBy: ["The push channel reports"],
      vainWait: "to connect", event: { event, _ in event == .connected ? nil : event }),
    Fault(
      description: "The push channel begins with a poke", caughtBy: ["The push channel reports"],
      event: { event, _ in event == .connected ? .poke : event }),
    Fault(
      description: "The push channel reports one poke only",
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
      description: "An account's own messages are not announced", caughtBy: ["An account's own message is"],
      vainWait: "to announce",
      event: { event, memory in
        event != .connected && memory.with { $0.lastSender } == memory.user ? nil : event
      }),
    Fault(
      description: "The push channel outlives its connection",
      caughtBy: [
        "The push channel ends with", "The push channel ends when", "A push channel",
      ],
      vainWait: "to end with", flaws: [.runOutlivesConnection]),
    Fault(
      description: "The push channel ignores cancellation", caughtBy: ["A cancelled push"],
      vainWait: "had not ended", flaws: [.runIgnoresCancellation]),
  ]
}
