import Skein
import SkeinSimulation
import Testing

@Suite("The list of a chat shows a change when the call that makes the change returns")
struct EchoTests {
  @Test(
    "A list that is opened just before a message is sent ends with this message", .simulated(seeds: 1...20))
  func newList() async throws {
    let (client, chat) = try await self.chat(with: ["1", "2", "3"])
    let context = client.context(for: chat)
    try await context.messenger.send(TextContent("4"))
    #expect(context.messages.texts == ["1", "2", "3", "4"])
    for await update in context.changes {
      #expect(update.snapshot.texts == ["1", "2", "3", "4"])
      break
    }
  }

  @Test(
    "Even a listener that is behind receives only lists that contain the message just sent",
    .simulated(seeds: 1...20))
  func slowListener() async throws {
    let (client, chat) = try await self.chat(with: ["1"])
    let context = client.context(for: chat)
    var listener = context.changes.makeAsyncIterator()
    var copy: [MessageListItem] = []
    for number in 2...5 {
      try await context.messenger.send(TextContent("\(number)"))
      let update = try #require(await listener.next())
      update.change.apply(to: &copy, from: update.snapshot)
      #expect(copy == Array(update.snapshot))
      #expect(update.snapshot.texts.last == "\(number)")
    }
  }

  @Test(
    "A message sent or forwarded through the client appears in the open list of its chat",
    .simulated(seeds: 1...10))
  func sentByClient() async throws {
    let (client, chat) = try await self.chat(with: ["1"])
    let context = client.context(for: chat)
    let sent = try await client.send(TextContent("2"), to: chat)
    #expect(context.messages.texts == ["1", "2"])
    try await client.forward([sent.id], to: [chat])
    #expect(context.messages.texts == ["1", "2", "2"])
  }

  @Test(
    "Edits, reactions, pins, recalls and deletions are in the list when their calls return",
    .simulated(seeds: 1...10))
  func actions() async throws {
    let (client, chat) = try await self.chat(with: ["1", "2"])
    client.start()
    let context = client.context(for: chat)
    let list = try await context.list { $0.count(.sent) == 2 }
    let ids = list.compactMap(\.message?.id)
    try await context.messenger.edit(ids[0], to: TextContent("edited"))
    #expect(context.messages.texts == ["edited", "2"])
    try await context.messenger.addReaction("👍", to: ids[1])
    #expect(context.messages.last?.message?.reactions.map(\.key) == ["👍"])
    try await context.messenger.pin(ids[1])
    #expect(context.messages.last?.message?.isPinned == true)
    #expect(context.pinnedMessages.map(\.id) == [ids[1]])
    try await context.messenger.recall(ids[1])
    #expect(context.messages.last?.message?.isRecalled == true)
    try await context.delete([ids[0]])
    #expect(context.messages.compactMap(\.message?.id) == [ids[1]])
    try await context.clearAllMessages()
    #expect(context.messages.isEmpty)
  }

  /// A client that is not started, and a chat with these texts. No list of the chat is open.
  private func chat(with texts: [String]) async throws -> (ChatClient, ConversationID) {
    let client = try await stage.client("alice", on: "phone")
    let chat = try await client.open(.direct("bob"))
    for text in texts { try await client.send(TextContent(text), to: chat) }
    return (client, chat)
  }
}
