import SkeinSimulation
import SkeinStorage
import Synchronization
import Testing

@testable import Skein

@Suite("Settings of conversations")
struct SettingsTests {
  /// A chat of Alice with a message from Bob.
  private func chat(_ stage: SimulatedStage) throws -> ConversationRef {
    let ref = try stage.server.open(.direct("alice"), by: "bob").ref
    try stage.server.post("hello", from: "bob", in: ref)
    return ref
  }

  @Test("A conversation has the same settings on all devices of the account", .simulated)
  func devices() async throws {
    let ref = try chat(stage)
    let phone = try await stage.client("alice", on: "phone")
    let laptop = try await stage.client("alice", on: "laptop")
    for client in [phone, laptop] { client.start() }
    let id = try await phone.conversations.first { $0.unreadCount == 1 }.id
    try await phone.conversations.setMuted(true, for: id)
    try await phone.conversations.setPinned(true, for: id)
    let there = try await laptop.conversations.first { $0.isMuted && $0.isPinned }
    #expect(!there.isMarkedUnread)
    try await laptop.conversations.setMarkedUnread(true, for: there.id)
    try await laptop.conversations.setPinned(false, for: there.id)
    _ = try await phone.conversations.first { $0.isMuted && !$0.isPinned && $0.isMarkedUnread }
    #expect(stage.server.settings(of: ref, for: "alice") == [.muted, .markedUnread])
    #expect(stage.server.settings(of: ref, for: "bob") == [])
    let tablet = try await stage.client("alice", on: "tablet")
    tablet.start()
    _ = try await tablet.conversations.first { $0.isMuted && !$0.isPinned && $0.isMarkedUnread }
    for client in [phone, laptop, tablet] { await client.close() }
  }

  @Test(
    "Settings that are made offline are shown at once, kept over a restart, and sent later, each with its last value only",
    .simulated)
  func offline() async throws {
    let ref = try chat(stage)
    let isCut = Mutex(true)
    let sent = Mutex<[ConversationSetting]>([])
    func open() async throws -> ChatClient {
      try await stage.client("alice", on: "phone") { backend in
        backend.onSet = { setting, _, _ in
          if isCut.withLock({ $0 }) { throw BackendError(.unreachable, "There is no way to the server.") }
          sent.withLock { $0.append(setting) }
        }
      }
    }
    var alice = try await open()
    alice.start()
    let id = try await alice.conversations.first { $0.unreadCount == 1 }.id
    try await alice.conversations.setMuted(true, for: id)
    try await alice.conversations.setPinned(true, for: id)
    try await alice.conversations.setPinned(false, for: id)
    _ = try await alice.conversations.first { $0.isMuted && !$0.isPinned }
    await alice.close()
    isCut.withLock { $0 = false }
    alice = try await open()
    _ = try await alice.conversations.first { $0.isMuted && !$0.isPinned }
    alice.start()
    while try await !alice.store.read({ try $0.conversationsWithUnconfirmed(.all).isEmpty }) {
      try await stage.runtime(named: "clock").sleep(for: .milliseconds(10))
    }
    #expect(stage.server.settings(of: ref, for: "alice") == [.muted])
    #expect(sent.withLock { $0 } == [.muted, .pinned])
    await alice.close()
  }

  @Test("A setting that the server does not have yet is not undone by a sync", .simulated)
  func ahead() async throws {
    let ref = try chat(stage)
    let alice = try await stage.client("alice", on: "phone") { backend in
      backend.onSet = { _, _, _ in throw BackendError(.unreachable, "There is no way to the server.") }
    }
    alice.start()
    let id = try await alice.conversations.first { $0.unreadCount == 1 }.id
    try await alice.conversations.setMuted(true, for: id)
    try stage.server.post("again", from: "bob", in: ref)
    let muted = try await alice.conversations.first { $0.unreadCount == 2 }
    #expect(muted.isMuted)
    await alice.close()
  }

  @Test("A setting that changes while its request is under way is sent again", .simulated)
  func changedMeanwhile() async throws {
    let ref = try chat(stage)
    let sent = Mutex<[Bool]>([])
    let change = Mutex<(@Sendable () async throws -> Void)?>(nil)
    let alice = try await stage.client("alice", on: "phone") { backend in
      backend.onSet = { _, isSet, _ in
        sent.withLock { $0.append(isSet) }
        if isSet { try await change.withLock { $0 }?() }
      }
    }
    alice.start()
    let id = try await alice.conversations.first { $0.unreadCount == 1 }.id
    change.withLock { $0 = { try await alice.conversations.setMuted(false, for: id) } }
    try await alice.conversations.setMuted(true, for: id)
    while sent.withLock({ $0.count }) < 2 {
      try await stage.runtime(named: "clock").sleep(for: .milliseconds(10))
    }
    while try await !alice.store.read({ try $0.conversationsWithUnconfirmed(.all).isEmpty }) {
      try await stage.runtime(named: "clock").sleep(for: .milliseconds(10))
    }
    #expect(sent.withLock { $0 } == [true, false])
    #expect(stage.server.settings(of: ref, for: "alice").isEmpty)
    await alice.close()
  }

  @Test("If the server refuses a setting for good, the server's value is shown again", .simulated)
  func refused() async throws {
    let ref = try chat(stage)
    try stage.server.set(.pinned, to: true, of: ref, by: "alice")
    let refused = Mutex<[ConversationSetting]>([])
    let alice = try await stage.client("alice", on: "phone") { backend in
      backend.onSet = { setting, _, _ in
        refused.withLock { $0.append(setting) }
        throw BackendError(.permanent, "No settings here.")
      }
    }
    alice.start()
    let id = try await alice.conversations.first { $0.isPinned && $0.unreadCount == 1 }.id
    try await alice.conversations.setMuted(true, for: id)
    try await alice.conversations.setPinned(false, for: id)
    while try await !alice.store.read({ try $0.conversationsWithUnconfirmed(.all).isEmpty }) {
      try await stage.runtime(named: "clock").sleep(for: .milliseconds(10))
    }
    let row = try await alice.store.read { try $0.find(ConversationRow.self, id) }
    #expect(row?.isMuted == false && row?.isPinned == true)
    #expect(refused.withLock { $0.contains(.muted) && $0.contains(.pinned) })
    #expect(stage.server.settings(of: ref, for: "alice") == [.pinned])
    await alice.close()
  }

  @Test(
    "If a setting fails for now, it is sent again, and the settings of other conversations are not delayed",
    .simulated(seeds: 1...3))
  func failing() async throws {
    let refs = try ["bob", "carol"].map { try stage.server.open(.direct("alice"), by: $0).ref }
    let isFailing = Mutex(true)
    let alice = try await stage.client("alice", on: "phone") { backend in
      backend.onSet = { _, _, ref in
        if ref == refs[0], isFailing.withLock({ $0 }) {
          throw BackendError(.transient, "The server failed.")
        }
      }
    }
    alice.start()
    let clock = stage.runtime(named: "clock")
    func settings(_ index: Int) -> BackendCapabilities.Settings {
      stage.server.settings(of: refs[index], for: "alice")
    }
    for chat in try await alice.conversations.list(where: { $0.count == 2 }) {
      try await alice.conversations.setMuted(true, for: chat.id)
    }
    while settings(1).isEmpty { try await clock.sleep(for: .milliseconds(10)) }
    #expect(settings(0).isEmpty)
    isFailing.withLock { $0 = false }
    while settings(0).isEmpty { try await clock.sleep(for: .milliseconds(10)) }
    await alice.close()
  }

  @Test("The settings of a new conversation are sent when the server has the conversation", .simulated)
  func newConversation() async throws {
    let alice = try await stage.client("alice", on: "phone")
    let id = try await alice.open(.direct("bob"))
    try await alice.conversations.setMuted(true, for: id)
    alice.start()
    let laptop = try await stage.client("alice", on: "laptop")
    laptop.start()
    _ = try await laptop.conversations.first { $0.isMuted }
    for client in [alice, laptop] { await client.close() }
  }

  @Test(
    "A chat that was muted here keeps this when it is merged with the server's pinned chat, and is pinned too",
    .simulated)
  func merge() async throws {
    let store = try await OddServerTests.store(stage, settings: .all)
    let chat = try await store.write(.kill) {
      try ConversationBook($0).open(.group(id: "k", title: "T", members: []))
    }
    try await store.write(.kill) { try $0.change(chat) { $0.set(.muted, to: true) } }
    let opening = try await store.read { try $0.first(OperationRow.self, "ORDER BY id")?.id }
    let info = ConversationInfo(
      ref: ConversationRef(rawValue: "r"), type: .group,
      settings: ConversationSettings(isMuted: false, isPinned: true, isMarkedUnread: false))
    let batch = SyncBatch(
      from: nil, next: SyncCursor(rawValue: "1"),
      conversations: [ConversationDelta(info: info, count: 0, messages: [])])
    _ = try await store.write(.kill) { try Intake($0).apply(batch) }
    try await store.write(.kill) { try ConversationBook($0).completeOpening(try #require(opening), info) }
    let rows = try await store.read { try $0.listedConversations() }
    #expect(rows.map(\.id) == [chat])
    #expect(rows.first?.isMuted == true && rows.first?.isPinned == true)
    #expect(rows.first?.unconfirmedSettings == .muted)
    await store.database.close()
  }

  @Test(
    "Reading a conversation removes its mark as unread on all devices, and the mark counts nowhere",
    .simulated)
  func read() async throws {
    _ = try chat(stage)
    let phone = try await stage.client("alice", on: "phone")
    let laptop = try await stage.client("alice", on: "laptop")
    for client in [phone, laptop] { client.start() }
    let id = try await phone.conversations.first { $0.unreadCount == 1 }.id
    try await phone.context(for: id).markRead()
    _ = try await phone.conversations.first { $0.unreadCount == 0 }
    try await phone.conversations.setMarkedUnread(true, for: id)
    let marked = try await laptop.conversations.first { $0.isMarkedUnread && $0.unreadCount == 0 }
    #expect(phone.conversations.unreadCount == 0 && laptop.conversations.unreadCount == 0)
    try await laptop.context(for: marked.id).markRead()
    _ = try await laptop.conversations.first { !$0.isMarkedUnread }
    _ = try await phone.conversations.first { !$0.isMarkedUnread }
    for client in [phone, laptop] { await client.close() }
  }

  @Test(
    "A chat that is deleted here stays pinned if the server stores pins, and is no longer marked as unread",
    .simulated, arguments: [BackendCapabilities.Settings.all, []])
  func deletion(_ supported: BackendCapabilities.Settings) async throws {
    let ref = try chat(stage)
    let alice = try await stage.client("alice", on: "phone") { $0.inner.abilities.settings = supported }
    alice.start()
    let id = try await alice.conversations.first { $0.unreadCount == 1 }.id
    try await alice.conversations.setPinned(true, for: id)
    try await alice.conversations.setMarkedUnread(true, for: id)
    try await alice.conversations.delete(id)
    try stage.server.post("again", from: "bob", in: ref)
    // A sync that the server has answered before it stored the settings may state the values before.
    _ = try await alice.conversations.first {
      $0.lastMessage?.content.displayedText == "again" && $0.isPinned == supported.contains(.pinned)
        && !$0.isMarkedUnread
    }
    await alice.close()
  }

  @Test("A setting that the server does not store stays on this device", .simulated)
  func unsupported() async throws {
    let ref = try chat(stage)
    let sent = Mutex<[ConversationSetting]>([])
    let alice = try await stage.client("alice", on: "phone") { backend in
      backend.inner.abilities.settings = .muted
      backend.onSet = { setting, _, _ in sent.withLock { $0.append(setting) } }
    }
    alice.start()
    let id = try await alice.conversations.first { $0.unreadCount == 1 }.id
    try await alice.conversations.setPinned(true, for: id)
    try await alice.conversations.setMuted(true, for: id)
    while stage.server.settings(of: ref, for: "alice").isEmpty {
      try await stage.runtime(named: "clock").sleep(for: .milliseconds(10))
    }
    try stage.server.post("again", from: "bob", in: ref)
    let kept = try await alice.conversations.first { $0.unreadCount == 2 }
    #expect(kept.isPinned && kept.isMuted)
    #expect(sent.withLock { $0 } == [.muted])
    await alice.close()
  }

  @Test("A setting that was confirmed before the server was restored follows the restored server", .simulated)
  func restored() async throws {
    let ref = try chat(stage)
    let alice = try await stage.client("alice", on: "phone")
    alice.start()
    let id = try await alice.conversations.first { $0.unreadCount == 1 }.id
    let backup = stage.server.backup()
    try await alice.conversations.setMuted(true, for: id)
    while stage.server.settings(of: ref, for: "alice").isEmpty {
      try await stage.runtime(named: "clock").sleep(for: .milliseconds(10))
    }
    stage.server.restore(backup)
    _ = try await alice.conversations.first { !$0.isMuted }
    await alice.close()
  }

  @Test("A server's list of all muted conversations applies to conversations without other news", .simulated)
  func mutedList() async throws {
    let store = try await OddServerTests.store(stage, settings: .all)
    let refs = ["a", "b", "c"].map { ConversationRef(rawValue: $0) }
    let deltas = refs.map { ref in
      ConversationDelta(info: ConversationInfo(ref: ref, type: .group), count: 0, messages: [])
    }
    func receive(_ number: Int, _ deltas: [ConversationDelta], muted: [ConversationRef]?) async throws {
      let from = number == 0 ? nil : SyncCursor(rawValue: "\(number)")
      let batch = SyncBatch(
        from: from, next: SyncCursor(rawValue: "\(number + 1)"), conversations: deltas, muted: muted)
      let isApplied = try await store.write(.kill) { try Intake($0).apply(batch) }
      #expect(isApplied)
    }
    func muted() async throws -> [String?] {
      try await store.read { try $0.listedConversations().filter(\.isMuted).map(\.ref?.rawValue) }
    }
    try await receive(0, deltas, muted: [refs[0], refs[1], ConversationRef(rawValue: "unknown")])
    #expect(try await muted() == ["a", "b"])
    try await receive(1, deltas, muted: nil)
    #expect(try await muted() == ["a", "b"])
    try await store.write(.kill) { rows in
      let id = try #require(try rows.rows.conversation(named: refs[1])?.id)
      try rows.change(id) { $0.set(.muted, to: true) }
    }
    try await receive(2, [], muted: [refs[2]])
    #expect(try await muted() == ["b", "c"])
    await store.database.close()
  }

  @Test(
    "Read marks and settings that failed without a connection are sent as soon as there is one",
    .simulated(seeds: 1...3))
  func reconnected() async throws {
    let ref = try chat(stage)
    let alice = try await stage.client("alice", on: "phone")
    let runtime = stage.runtime(named: "stage")
    alice.start()
    let id = try await alice.conversations.first { $0.unreadCount == 1 }.id
    stage.server.setReachable(false)
    try await alice.conversations.setMuted(true, for: id)
    try await alice.context(for: id).markRead()
    try await runtime.sleep(for: .seconds(600))
    stage.server.setReachable(true)
    for await state in alice.connectionStates where state == .online { break }
    try await runtime.sleep(for: .seconds(2))
    #expect(stage.server.settings(of: ref, for: "alice") == [.muted])
    await alice.close()
  }

  @Test(
    "A setting whose request ends after the conversation got another ref is sent for the new ref",
    .simulated(seeds: 1...3))
  func replacedMeanwhile() async throws {
    let ref = try chat(stage)
    let requests = Mutex<[ConversationRef]>([])
    let alice = try await stage.client("alice", on: "phone") { backend in
      backend.onSet = { [server = stage.server] _, _, conversation in
        let isFirst = requests.withLock { requests in
          requests.append(conversation)
          return requests.count == 1
        }
        guard isFirst else { return }
        _ = server.replace(conversation)
        try await stage.runtime(named: "stage").sleep(for: .seconds(5))
      }
    }
    alice.start()
    let id = try await alice.conversations.first { $0.unreadCount == 1 }.id
    try await alice.conversations.setMuted(true, for: id)
    let new = try await alice.conversations.first { $0.ref != ref }.ref
    while requests.withLock({ $0.count < 2 }) {
      try await stage.runtime(named: "stage").sleep(for: .milliseconds(100))
    }
    #expect(requests.withLock { $0.last } == new)
    await alice.close()
  }
}
