import Foundation
import Skein
import SkeinSimulation
import SkeinStorage
import Synchronization
import Testing

@Suite("Mentions")
struct MentionTests {
  private static func call(_ user: UserID?, _ text: String) -> TextContent {
    TextContent(text, mentions: [TextMention(user, start: 0, length: text.utf16.count)])
  }

  @Test(
    "A mention is shown in the conversation list of the mentioned user only, until it is read", .simulated)
  func called() async throws {
    let clients = try await Trio(stage)
    try await clients.chat.messenger.send(Self.call("bob", "@bob"))
    try await clients.chat.messenger.send(Self.call("carol", "@carol"))
    _ = try await clients.chat.messenger.send(Self.call(nil, "@all")).result
    let conversation = try await clients.bob.conversations.first { $0.unreadCount == 3 }
    #expect(conversation.unreadMentionCount == 2)
    let context = clients.bob.context(for: conversation.id)
    let list = try await context.list { $0.texts.count == 3 }
    #expect(list.compactMap(\.message).map(\.isMention) == [true, false, true])
    for client in [clients.alice, clients.tablet] {
      let own = try await client.conversations.first { $0.lastMessage?.status == .sent }
      #expect(own.unreadMentionCount == 0)
    }
    try await context.delete([try #require(list.first?.message?.id)])
    try await clients.bob.conversations.list { $0.first?.unreadMentionCount == 1 }
    try await context.markRead()
    try await clients.bob.conversations.list { $0.first?.unreadMentionCount == 0 }
    try await clients.close()
  }

  /// Starts a client for Bob that fetches five messages at a time, so that a gap remains.
  private func reader() async throws -> ChatClient {
    var options = ChatOptions()
    options.catchUpPageSize = 5
    options.pageSize = 5
    let bob = try await stage.client("bob", on: "bob", options: options)
    bob.start()
    return bob
  }

  @Test(
    "A mention in a gap is counted once, before and after the gap is loaded, until its message is recalled",
    .simulated)
  func inGap() async throws {
    let alice = try await stage.client("alice", on: "alice")
    alice.start()
    let own = alice.context(for: try await alice.open(.direct("bob")))
    let first = try await own.messenger.send(Self.call("bob", "@bob"))
    _ = try await first.result
    for number in 1...20 { _ = try await own.messenger.send(TextContent("\(number)")).result }
    _ = try await own.messenger.send(Self.call("bob", "last")).result
    let bob = try await reader()
    let conversation = try await bob.conversations.first { $0.unreadCount == 22 }
    #expect(conversation.unreadMentionCount == 2)
    let context = bob.context(for: conversation.id)
    try await context.open()
    while context.hasMorePreviousMessages { try await context.fetchMorePreviousMessages() }
    let count = bob.conversations.conversations.first?.unreadMentionCount
    #expect(count == 2)
    try await own.messenger.recall(first.id)
    try await bob.conversations.list { $0.first?.unreadMentionCount == 1 }
    await alice.close()
    await bob.close()
  }

  @Test(
    "If the server reports no mentions, the content decides; a forwarded copy of an edited message mentions nobody",
    .simulated)
  func byContent() async throws {
    let sent = Mutex<[Mentions]>([])
    let alice = try await stage.client("alice", on: "alice") { backend in
      backend.onSend = { [inner = backend.inner] message in
        sent.withLock { $0.append(message.mentions) }
        return try await inner.send(message)
      }
    }
    let bob = try await stage.client("bob", on: "bob") { backend in
      backend.onSync = { _, batch in
        var batch = batch
        for index in batch.conversations.indices {
          batch.conversations[index].unreadMentions = nil
          batch.conversations[index].messages = batch.conversations[index].messages.map { message in
            var message = message
            message.mentions = nil
            return message
          }
        }
        return batch
      }
    }
    alice.start()
    bob.start()
    let chat = try await alice.open(.direct("bob"))
    let context = alice.context(for: chat)
    let called = try await context.messenger.send(Self.call("bob", "@bob"))
    _ = try await called.result
    try await bob.conversations.list { $0.first?.unreadMentionCount == 1 }
    try await context.messenger.edit(called.id, to: Self.call(nil, "@all"))
    for copy in try await alice.forward([called.id], to: [chat]) { _ = try await copy.result }
    #expect(sent.withLock { $0 } == [Mentions(["bob"]), .nobody])
    await alice.close()
    await bob.close()
  }

  @Test(
    "A forwarded copy mentions nobody, even if a send participant changes the copy's text", .simulated,
    arguments: [true, false])
  func copies(intercepts: Bool) async throws {
    let improve: @Sendable (inout MessageDraft) -> Void = { draft in
      guard var content = draft.content.as(TextContent.self), !content.text.hasSuffix("!") else { return }
      content.text += "!"
      draft.content = .known(content)
    }
    var options = ChatOptions()
    options.sendParticipants = [
      TestParticipant("polisher", Transcript()) { polisher in
        if intercepts {
          polisher.onIntercept = { draft in
            improve(&draft)
            return .proceed
          }
        } else {
          polisher.onPrepare = { improve(&$0) }
        }
      }
    ]
    let bob = try await stage.client("bob", on: "bob")
    let alice = try await stage.client("alice", on: "phone", options: options)
    alice.start()
    bob.start()
    let chat = try await bob.open(.direct("alice"))
    _ = try await bob.context(for: chat).messenger.send(Self.call("alice", "@alice")).result
    let known = try await alice.conversations.first { $0.unreadMentionCount == 1 }
    let called = try #require(known.lastMessage?.id)
    for copy in try await alice.forward([called], to: [known.id]) { _ = try await copy.result }
    _ = try await alice.context(for: known.id).messenger.send(Self.call("bob", "@bob")).result
    await alice.close()
    await bob.close()
    let ref = try #require(stage.server.rooms().first)
    let sent = stage.server.messages(in: ref)
    #expect(sent.map(\.displayedText) == ["@alice", "@alice!", "@bob!"])
    let mentions = sent.map(\.mentions)
    #expect(mentions == [Mentions(["alice"]), .nobody, Mentions(["bob"])])
  }

  @Test("A mention in a gap is counted once, even if only a part of the gap is loaded", .simulated)
  func inPartOfAGap() async throws {
    let alice = try await stage.client("alice", on: "alice")
    alice.start()
    let own = alice.context(for: try await alice.open(.direct("bob")))
    for number in 1...12 { _ = try await own.messenger.send(TextContent("\(number)")).result }
    let mention = try await own.messenger.send(Self.call("bob", "@bob"))
    _ = try await mention.result
    for number in 13...20 { _ = try await own.messenger.send(TextContent("\(number)")).result }
    let bob = try await reader()
    let conversation = try await bob.conversations.first { $0.unreadCount == 21 }
    #expect(conversation.unreadMentionCount == 1)
    let context = bob.context(for: conversation.id)
    try await context.open()
    while !context.messages.contains(where: { $0.message?.messageID == mention.messageID }) {
      try await context.fetchMorePreviousMessages()
    }
    #expect(context.hasMorePreviousMessages)
    #expect(bob.conversations.conversations.first?.unreadMentionCount == 1)
    await alice.close()
    await bob.close()
  }

  @Test(
    "Recalling an older mention while a device is away does not lower the number of mentions in its gap",
    .simulated)
  func recalledBeforeAGap() async throws {
    var options = ChatOptions()
    options.catchUpPageSize = 2
    let bob = try await stage.client("bob", on: "bob", options: options)
    let alice = try await stage.client("alice", on: "alice")
    for client in [alice, bob] { client.start() }
    let chat = alice.context(for: try await alice.open(.direct("bob")))
    let called = try await chat.messenger.send(Self.call("bob", "@bob")).result
    _ = try await bob.conversations.first { $0.unreadMentionCount == 1 }
    await bob.stop()
    try await chat.messenger.recall(called.id)
    _ = try await chat.messenger.send(Self.call("bob", "@bob again")).result
    try stage.server.post(["1", "2", "3"], from: "alice", in: try #require(stage.server.rooms().first))
    bob.start()
    let after = try await bob.conversations.first { $0.lastMessage?.content.displayedText == "3" }
    #expect(after.unreadMentionCount == 1)
    await alice.close()
    await bob.close()
  }

  @Test("A mention covers a part of its text, and an invalid one covers none")
  func parts() throws {
    let text = "hé 👋 @bob!"
    let part = try #require(text.range(of: "@bob"))
    let mention = TextMention("bob", at: part, of: text)
    #expect((mention.start, mention.length) == (6, 4))
    #expect(mention.part(of: text) == part)
    for (start, length) in [
      (0, 0), (0, 99), (-1, 2), (4, 1), (Int.max, 1), (1, Int.max), (Int.min, Int.max), (0, -1),
    ] {
      #expect(TextMention("bob", start: start, length: length).part(of: text) == nil, "\(start) \(length)")
    }
    #expect(TextMention("bob", start: 0, length: 1).part(of: "") == nil)
  }

  @Test(
    "A text without mentions is encoded as in earlier versions, and a text with mentions decodes unchanged")
  func bytes() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    #expect(String(decoding: try encoder.encode(TextContent("up?")), as: UTF8.self) == #"{"text":"up?"}"#)
    let content = Self.call("bob", "@bob")
    let decoder = JSONDecoder()
    #expect(try decoder.decode(TextContent.self, from: try encoder.encode(content)) == content)
    #expect(content.mentioned == Mentions(["bob"]))
    #expect(Self.call(nil, "@all").mentioned == Mentions(everyone: true))
  }
}
