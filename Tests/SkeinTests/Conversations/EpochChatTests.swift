import SkeinSimulation
import Synchronization
import Testing

@testable import Skein

@Suite("Chats and contacts after a server reset")
struct EpochChatTests {
  @Test("A deleted chat is not restored before a new message arrives", .simulated(seeds: 1...4))
  func deletedChat() async throws {
    var options = ChatOptions()
    options.catchUpPageSize = 2
    let ref = try stage.server.open(.direct("bob"), by: "alice").ref
    for number in 1...6 { try stage.server.post("\(number)", from: "alice", in: ref) }
    let backup = stage.server.backup()
    let bob = try await stage.client("bob", on: "bob", options: options)
    bob.start()
    let chat = try await bob.conversations.first { $0.lastMessage?.content.displayedText == "6" }.id
    try await bob.conversations.delete(chat)
    stage.server.restore(backup)
    try await stage.runtime(named: "stage").sleep(for: .seconds(120))
    #expect(bob.conversations.conversations.isEmpty)
    try stage.server.post("a", from: "alice", in: ref)
    _ = try await bob.conversations.first { $0.lastMessage?.content.displayedText == "a" }
    try await bob.context(for: chat).list { $0.texts == ["a"] }
    await bob.close()
  }

  @Test(
    "A new account requests its whole contact list once, and again after a server reset",
    .simulated(seeds: 1...4))
  func contacts() async throws {
    let asked = Mutex<[ContactVersion?]>([])
    asked.withLock { $0 = [] }
    let ref = try stage.server.open(.direct("bob"), by: "alice").ref
    let backup = stage.server.backup()
    _ = try stage.server.open(.direct("bob"), by: "cy")
    let bob = try await stage.contactClient("bob", on: "bob") { backend in
      backend.onContacts = { [server = stage.server] version in
        asked.withLock { $0.append(version) }
        return try server.contacts(since: version, for: "bob")
      }
    }
    bob.start()
    try await bob.contacts.list { $0.count == 2 }
    for await state in bob.catchUpStates where state == .caughtUp { break }
    try await stage.runtime(named: "stage").sleep(for: .seconds(120))
    #expect(asked.withLock { $0.count { $0 == nil } } == 1, "asked before: \(asked.withLock { $0 })")
    stage.server.restore(backup)
    try stage.server.post("a", from: "alice", in: ref)
    try await bob.contacts.list { $0.count == 1 }
    await bob.close()
  }

  @Test(
    "If the server still has a group, the messages waiting in it are sent without opening the group again",
    .simulated(seeds: 1...4))
  func keptGroup() async throws {
    let isStrict = Mutex(false)
    let bob = try await stage.client("bob", on: "bob") { backend in
      backend.onOpen = { [server = stage.server] request in
        if isStrict.withLock({ $0 }) {
          throw BackendError(.permanent, "You made another group with this id.")
        }
        return try server.open(request, by: "bob")
      }
    }
    bob.start()
    let chat = try await bob.open(.group(id: "trip", title: "Trip", members: ["alice"]))
    _ = try await bob.send(TextContent("1"), to: chat).result
    let backup = stage.server.backup()
    stage.server.setReachable(false)
    let waiting = try await bob.send(TextContent("2"), to: chat)
    isStrict.withLock { $0 = true }
    stage.server.restore(backup)
    stage.server.setReachable(true)
    _ = try await waiting.result
    try await bob.context(for: chat).list { $0.texts == ["1", "2"] && $0.count(.sent) == 2 }
    #expect(bob.conversations.conversations.first?.failure == nil)
    await bob.close()
  }

  @Test(
    "Messages waiting in a chat that the server has lost are sent after the chat and its contact are recreated",
    .simulated(seeds: 1...12),
    arguments: [
      ConversationRequest.direct("alice"), .group(id: "trip", title: "Trip", members: ["alice"]),
    ])
  func lostContact(request: ConversationRequest) async throws {
    _ = try stage.server.open(.direct("bob"), by: "cy")
    let backup = stage.server.backup()
    let isBusy = Mutex(false)
    let bob = try await stage.contactClient("bob", on: "bob") { backend in
      backend.onSend = { [inner = backend.inner] message in
        if isBusy.withLock({ $0 }) { throw BackendError(.transient, "Not now.") }
        return try await inner.send(message)
      }
      backend.onOpen = { [inner = backend.inner] request in
        if isBusy.withLock({ $0 }) { throw BackendError(.transient, "Not now.") }
        return try await inner.open(request)
      }
    }
    bob.start()
    for await state in bob.catchUpStates where state == .caughtUp { break }
    let chat = try await bob.open(request)
    _ = try await bob.send(TextContent("1"), to: chat).result
    try await bob.contacts.list { $0.count == 2 }
    isBusy.withLock { $0 = true }
    let waiting = try await bob.send(TextContent("2"), to: chat)
    stage.server.restore(backup)
    try await bob.contacts.list { $0.count == 1 }
    isBusy.withLock { $0 = false }
    _ = try await waiting.result
    let list = try await bob.context(for: chat).list { $0.statuses == [.failed, .sent] }
    #expect(list.messages.first?.failure?.code == .lost)
    try await bob.contacts.list { $0.count == 2 }
    await bob.close()
  }

  @Test(
    "If the server has lost a chat and its contact, the device keeps the chat and can send messages to it",
    .simulated(seeds: 1...12))
  func keptChat() async throws {
    var options = ChatOptions()
    options.keepRemovedFor = .zero
    _ = try stage.server.open(.direct("bob"), by: "cy")
    let backup = stage.server.backup()
    let bob = try await stage.contactClient("bob", on: "bob", options: options)
    bob.start()
    for await state in bob.catchUpStates where state == .caughtUp { break }
    let chat = try await bob.open(.direct("alice"))
    _ = try await bob.send(TextContent("1"), to: chat).result
    try await bob.contacts.list { $0.count == 2 }
    stage.server.restore(backup)
    try await bob.contacts.list { $0.count == 1 }
    try await stage.runtime(named: "stage").sleep(for: .seconds(120))
    let context = bob.context(for: chat)
    try await context.list { $0.texts == ["1"] }
    _ = try await bob.send(TextContent("2"), to: chat).result
    try await context.list { $0.texts.last == "2" && $0.statuses == [.failed, .sent] }
    try await bob.contacts.list { $0.count == 2 }
    await bob.close()
  }

  @Test(
    "A reaction in a chat that the server has lost opens the chat again and does not wait forever", .simulated
  )
  func reactionInLostChat() async throws {
    let backup = stage.server.backup()
    let bob = try await stage.client("bob", on: "bob")
    bob.start()
    for await state in bob.catchUpStates where state == .caughtUp { break }
    let chat = try await bob.open(.direct("alice"))
    let sent = try await bob.send(TextContent("1"), to: chat)
    _ = try await sent.result
    stage.server.restore(backup)
    try await stage.runtime(named: "stage").sleep(for: .seconds(120))
    let context = bob.context(for: chat)
    try await context.messenger.addReaction("👍", to: sent.id)
    let list = try await context.list { $0.messages.first?.hasPendingAction == false }
    #expect(list.messages.first?.reactions == [])
    #expect(stage.server.rooms().count == 1)
    await bob.close()
  }

  @Test(
    "A message that may have arrived is uncertain if the chat that the server has lost can't be opened again",
    .simulated)
  func refusedReopening() async throws {
    let backup = stage.server.backup()
    let isBroken = Mutex(false), attempts = Mutex(0)
    let bob = try await stage.client("bob", on: "bob") { backend in
      backend.onSend = { [inner = backend.inner] message in
        guard isBroken.withLock({ $0 }) else { return try await inner.send(message) }
        attempts.withLock { $0 += 1 }
        throw BackendError(.transient, "No answer.", outcomeIsUnknown: true)
      }
      backend.onOpen = { [inner = backend.inner] request in
        if isBroken.withLock({ $0 }) { throw BackendError(.permanent, "No.") }
        return try await inner.open(request)
      }
    }
    bob.start()
    for await state in bob.catchUpStates where state == .caughtUp { break }
    let chat = try await bob.open(.direct("alice"))
    _ = try await bob.send(TextContent("1"), to: chat).result
    isBroken.withLock { $0 = true }
    let tried = try await bob.send(TextContent("2"), to: chat)
    let waiting = try await bob.send(TextContent("3"), to: chat)
    while attempts.withLock({ $0 }) == 0 {
      try await stage.runtime(named: "stage").sleep(for: .milliseconds(100))
    }
    stage.server.restore(backup)
    for sent in [tried, waiting] { for await state in sent.progress where state.isEnd { break } }
    let ends = [try await tried.state, try await waiting.state]
    guard case .uncertain(let failure) = ends[0], case .failed = ends[1] else {
      throw Unexpected(what: "\(ends)")
    }
    #expect(failure.code == .conversationRefused)
    await bob.close()
  }

  @Test("A chat that the server has lost is opened again for new messages", .simulated)
  func lostChat() async throws {
    let backup = stage.server.backup()
    let bob = try await stage.client("bob", on: "bob")
    let chat = try await bob.open(.direct("alice"))
    bob.start()
    _ = try await bob.send(TextContent("1"), to: chat).result
    stage.server.restore(backup)
    try await stage.runtime(named: "stage").sleep(for: .seconds(120))
    _ = try await bob.send(TextContent("2"), to: chat).result
    let context = bob.context(for: chat)
    let list = try await context.list { $0.texts.last == "2" && $0.statuses == [.failed, .sent] }
    #expect(list.messages.first?.failure?.code == .lost, "\(list.texts)")
    #expect(stage.server.rooms().count == 1)
    await bob.close()
  }
}

extension MessageList {
  fileprivate var messages: [ChatMessage] { compactMap(\.message) }
}
