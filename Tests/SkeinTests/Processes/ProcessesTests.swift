import Foundation
import SkeinSimulation
import SkeinStorage
import Testing

@testable import Skein

@Suite("Two processes on one database")
struct ProcessesTests {
  @Test(
    "Both processes write, one posts, each sees the other's changes, and each sender gets the outcome",
    .simulated(seeds: 1...20))
  func bothWrite() async throws {
    let app = try await stage.client("alice", on: "phone")
    let chat = try await app.open(.direct("bob"))
    app.start()
    try await app.reach { $0 == .online }
    let share = try await stage.client("alice", on: "phone")
    share.start()
    try await share.reach { $0 == .elsewhere }
    var sent: [SentMessage] = []
    for number in 1...5 {
      async let fromApp = app.send(TextContent("a\(number)"), to: chat)
      async let fromShare = share.send(TextContent("s\(number)"), to: chat)
      sent += try await [fromApp, fromShare]
    }
    let lists = [app, share].map { $0.context(for: chat) }
    for list in lists { try await list.list { $0.count(.sent) == 10 } }
    for message in sent { _ = try await message.result }
    #expect(Array(lists[0].messages) == Array(lists[1].messages))
    #expect(stage.server.posts.count == 10)
    try await share.conversations.list { $0.first?.lastMessage == lists[0].messages.last?.message }
    #expect(share.connectionState == .elsewhere)
    await share.close()
    await app.close()
  }

  @Test(
    "New messages, marks, drafts, clears and cancellations are shown in both processes",
    .simulated(seeds: 1...10))
  func everyChange() async throws {
    let app = try await stage.client("alice", on: "phone")
    let share = try await stage.client("alice", on: "phone")
    app.start()
    try await app.reach { $0 == .online }
    share.start()
    let ref = try stage.server.open(.direct("alice"), by: "bob").ref
    for number in 1...3 { try stage.server.post("\(number)", from: "bob", in: ref) }
    let chat = try await share.conversations.first { $0.unreadCount == 3 }.id
    let (inApp, inShare) = (app.context(for: chat), share.context(for: chat))
    try await inShare.list { $0.texts == ["1", "2", "3"] }

    // The process without a connection sets the mark, and the process with the connection reports it.
    try await inShare.markRead()
    _ = try await app.conversations.first { $0.unreadCount == 0 }
    while stage.server.info(ref, for: "alice")?.readMark?.position?.rawValue != 3 {
      try await stage.runtime(named: "stage").sleep(for: .milliseconds(100))
    }
    try await share.conversations.setDraft("half a", for: chat)
    _ = try await app.conversations.first { $0.draft == "half a" }
    try await app.conversations.setPinned(true, for: chat)
    _ = try await share.conversations.first { $0.isPinned }

    // One process cancels a message that the other shows.
    stage.server.setReachable(false)
    let doomed = try await app.send(TextContent("doomed"), to: chat)
    try await inShare.list { $0.texts.last == "doomed" }
    let outcome = try await share.context(for: chat).messenger.cancel(doomed.id)
    if outcome == .cancelled { try await inApp.list { $0.texts == ["1", "2", "3"] } }
    stage.server.setReachable(true)
    try await app.context(for: chat).list { $0.count(.queued) + $0.count(.sending) == 0 }

    try await inShare.delete(inShare.messages.prefix(1).compactMap(\.message?.id))
    try await inApp.list { $0.texts.first == "2" }
    try await inApp.clearAllMessages()
    try await inShare.list { $0.texts.isEmpty }
    try stage.server.post("after", from: "bob", in: ref)
    for list in [inApp, inShare] { try await list.list { $0.texts == ["after"] } }
    try await inShare.markRead()
    try await share.conversations.delete(chat)
    try await app.conversations.list { $0.isEmpty }
    await app.close()
    await share.close()
  }

  @Test(
    "A process that has filled the gaps of a conversation leaves none for the other process",
    .simulated(seeds: 1...5))
  func filledGaps() async throws {
    let options = WindowLoadingTests.small
    let app = try await stage.client("bob", on: "phone", options: options)
    for round in 0..<6 {
      try LoadingTests.fill(stage, round * 20 + 1...round * 20 + 20)
      app.start()
      _ = try await app.conversations.first { $0.lastMessage?.content.displayedText == "\(round * 20 + 20)" }
      if round < 5 { await app.stop() }
    }
    let share = try await stage.client("bob", on: "phone", options: options)
    let chat = try await share.conversations.first { $0.unreadCount == 120 }.id
    let inShare = share.context(for: chat)
    try await inShare.open()
    for _ in 1...20 where inShare.hasMorePreviousMessages { try await inShare.fetchMorePreviousMessages() }
    #expect(!inShare.hasMorePreviousMessages)

    try LoadingTests.fill(stage, 121...121)
    _ = try await app.conversations.first { $0.unreadCount == 121 }
    let stored = try await app.store.read { rows in
      try rows.find(ConversationRow.self, chat).map { try rows.spans(of: $0, isDense: true) }
    }
    #expect(stored?.spans.count == 1)
    await share.close()
    await app.close()
  }

  @Test(
    "Both processes have the same contacts; if the user leaves a group in one, the other tells the server",
    .simulated(seeds: 1...10))
  func contacts() async throws {
    let server = stage.server
    for name in ["bob", "carol", "dave"] { server.put(.friend(name), of: "alice") }
    let app = try await stage.contactClient("alice", on: "phone")
    app.start()
    try await app.reach { $0 == .online }
    let share = try await stage.contactClient("alice", on: "phone")
    share.start()
    try await share.reach { $0 == .elsewhere }
    try await share.contacts.list { $0.map(\.name) == ["bob", "carol", "dave"] }
    _ = try await share.open(.direct("bob"))
    _ = try await share.conversations.first { $0.ref != nil }
    server.put(.friend("bob", remark: "Zorro"), of: "alice")
    try await share.contacts.list { $0.map(\.shownName) == ["Zorro", "carol", "dave"] }
    server.removeContact(.user("bob"), of: "alice")
    for client in [app, share] {
      try await client.contacts.list { $0.map(\.name) == ["carol", "dave"] }
      try await client.conversations.list { $0.isEmpty }
    }

    let group = try await share.openGroup(title: "Trip", members: ["carol"])
    let ref = try await app.conversations.first { $0.ref != nil }.ref
    try await share.contacts.list { $0.count == 3 }
    try await share.conversations.leave(group)
    for client in [app, share] { try await client.contacts.list { $0.count == 2 } }
    try await app.conversations.list { $0.isEmpty }
    try await stage.runtime(named: "stage").sleep(for: .seconds(5))
    let members = server.info(try #require(ref), for: "carol")?.members
    #expect(members == ["carol"])
    await share.close()
    await app.close()
  }

  @Test(
    "The lease moves at once when its holder stops or is killed, and waiting messages are sent",
    .simulated(seeds: 1...10))
  func moves() async throws {
    let first = try await stage.process("alice", on: "phone")
    let second = try await stage.process("alice", on: "phone")
    let chat = try await first.client.open(.direct("bob"))
    first.client.start()
    try await first.client.reach { $0 == .online }
    second.client.start()
    try await second.client.reach { $0 == .elsewhere }

    // The holder stops, as before a suspension.
    await first.client.stop()
    let early = try await first.client.send(TextContent("one"), to: chat)
    try await second.client.context(for: chat).list { $0.texts == ["one"] && $0.count(.sent) == 1 }
    first.client.start()
    _ = try await early.result
    try await first.client.reach { $0 == .elsewhere }

    // The holder dies while it posts a message.
    stage.server.fail(next: [.responseLost])
    try await second.client.send(TextContent("two"), to: chat)
    while stage.server.posts.count < 2 {
      try await stage.runtime(named: "stage").sleep(for: .milliseconds(1))
    }
    let died = stage.world.now
    await second.kill()
    try await first.client.context(for: chat).list { $0.texts == ["one", "two"] && $0.count(.sent) == 2 }
    #expect(stage.world.now - died < .seconds(5))
    let ref = try await first.client.conversations.first { $0.ref != nil }.ref
    let stored = stage.server.messages(in: try #require(ref)).count
    #expect(stored == 2)
    await first.client.close()
  }

  @Test(
    "A lease holder that hangs loses the lease; until then the other processes write without waiting",
    .simulated)
  func hangs() async throws {
    let first = try await stage.process("alice", on: "phone")
    let chat = try await first.client.open(.direct("bob"))
    first.client.start()
    try await first.client.reach { $0 == .online }
    let second = try await stage.process("alice", on: "phone")
    second.client.start()
    try await second.client.reach { $0 == .elsewhere }
    // The holder's code never runs again, and the holder keeps its lock.
    first.process.drop()
    let hung = stage.world.now
    let sent = try await second.client.send(TextContent("on"), to: chat)
    #expect(stage.world.now - hung < .milliseconds(100))
    _ = try await sent.result
    let passed = stage.world.now - hung
    #expect(passed > .seconds(9))
    #expect(passed < .seconds(20))
    await second.client.close()
  }

  @Test("Stopping a client at any moment releases the lease", .simulated)
  func stops() async throws {
    let first = try await stage.client("alice", on: "phone")
    let second = try await stage.client("alice", on: "phone")
    for _ in 1...20 {
      first.start()
      for _ in 0..<Int(stage.world.random() % 40) { await Task.yield() }
      await first.stop()
      let began = stage.world.now
      second.start()
      try await second.reach { $0 == .online }
      #expect(stage.world.now - began < .milliseconds(50))
      await second.stop()
    }
    await first.close()
    await second.close()
  }

  @Test("A process that is alone starts at once, even after an earlier process was killed", .simulated)
  func alone() async throws {
    for _ in 1...3 {
      let process = try await stage.process("alice", on: "phone")
      let began = stage.world.now
      process.client.start()
      try await process.client.reach { $0 == .online }
      let passed = stage.world.now - began
      #expect(passed < .milliseconds(100))
      await process.kill()
    }
  }
}

/// A client and the simulated process that it lives in.
struct StagedProcess: Sendable {
  let process: SimulatedProcess
  let client: ChatClient

  /// Kills the process and releases everything that the system would release.
  func kill() async {
    process.kill()
    await client.close()
  }
}

extension SimulatedStage {
  /// Opens a client in another process on a device.
  func process(_ user: UserID, on device: String) async throws -> StagedProcess {
    let process = SimulatedProcess(world)
    let runtime = process.runtime(
      in: folder.appending(path: device),
      now: { [world] in Timestamp(milliseconds: 1_700_000_000_000) + world.now })
    let backend = MemoryBackend(user: user, server: server, runtime: runtime)
    let client = try await ChatClient.open(account: user, backend: backend, runtime: runtime)
    return StagedProcess(process: process, client: client)
  }
}

extension ChatClient {
  /// Returns once the state of the connection satisfies a condition.
  func reach(_ condition: (ConnectionState) -> Bool) async throws {
    for await state in connectionStates where condition(state) { return }
    throw Unexpected(what: "the connection's states ended early")
  }
}
