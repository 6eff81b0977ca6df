import SkeinSimulation
import SkeinStorage
import Synchronization
import Testing

@testable import Skein

@Suite("The contact list")
struct ContactListTests {
  @Test("A diff adds, changes and removes only the contacts that it names, also after a restart", .simulated)
  func diffs() async throws {
    let server = stage.server
    for name in ["bob", "carol", "dave"] { server.put(.friend(name), of: "alice") }
    var alice = try await stage.contactClient("alice", on: "phone")
    alice.start()
    try await alice.contacts.list { $0.map(\.name) == ["bob", "carol", "dave"] }
    server.put(.friend("bob", remark: "Zorro"), of: "alice")
    server.removeContact(.user("carol"), of: "alice")
    try await alice.contacts.list { $0.map(\.shownName) == ["Zorro", "dave"] }
    await alice.close()

    alice = try await stage.contactClient("alice", on: "phone")
    try await alice.contacts.list { $0.map(\.shownName) == ["Zorro", "dave"] }
    server.put(.friend("carol"), of: "alice")
    alice.start()
    try await alice.contacts.list { $0.map(\.shownName) == ["Zorro", "carol", "dave"] }
    await alice.close()
  }

  @Test(
    "A contact and its conversation have the same settings, whichever arrives first, unless the server stores settings of conversations",
    .simulated)
  func settings() async throws {
    let server = stage.server
    let alice = try await stage.contactClient("alice", on: "phone") {
      $0.inner.abilities.settings = [.pinned]
    }
    alice.start()
    let muted = ContactSettings(isMuted: true)
    server.put(.friend("bob", settings: muted), of: "alice")
    try await alice.contacts.list { $0.count == 1 }
    let ref = try server.open(.direct("alice"), by: "bob").ref
    try server.post("hello", from: "bob", in: ref)
    try await alice.conversations.list { $0.first?.isMuted == true }
    #expect(alice.conversations.unreadCount == 0)
    server.put(.friend("bob", settings: ContactSettings(isPinned: true)), of: "alice")
    try await alice.conversations.list { $0.first?.isMuted == false }
    #expect(alice.conversations.conversations.first?.isPinned == false)
    await alice.close()
  }

  @Test("A chat that is opened here has the settings of its contact until the user changes them", .simulated)
  func settingsOfOpenedChat() async throws {
    stage.server.put(.friend("bob", settings: ContactSettings(isMuted: true)), of: "alice")
    let alice = try await stage.contactClient("alice", on: "phone") {
      $0.inner.abilities.settings = [.pinned]
    }
    alice.start()
    try await alice.contacts.list { $0.count == 1 }
    let chat = try await alice.open(.direct("bob"))
    let opened = try await alice.conversations.first { $0.id == chat }
    #expect(opened.isMuted)
    try await alice.conversations.setMuted(false, for: chat)
    let known = try await alice.conversations.first { $0.ref != nil && !$0.isMuted }
    #expect(known.id == chat)
    await alice.close()
  }

  @Test(
    "A group that gets its ref, or another one, has the settings of the contact that was stored under this ref",
    .simulated(seeds: 1...1))
  func settingsOfNewRef() async throws {
    let store = try await OddServerTests.store(stage, contacts: true)
    let first = ConversationRef(rawValue: "r1"), second = ConversationRef(rawValue: "r2")
    let contacts = [
      Contact(id: .group(first), type: .group, name: "Trip", settings: ContactSettings(isMuted: true)),
      Contact(id: .group(second), type: .group, name: "Trip", settings: ContactSettings(isPinned: true)),
    ]
    let delta = ContactDelta(
      from: nil, next: ContactVersion(rawValue: "1"), isFull: true, changed: contacts)
    _ = try await store.write(.kill) { try ContactBook($0).apply(delta, isConfirmed: false) }
    func settings(of ref: ConversationRef) async throws -> [Bool?] {
      let row = try await store.read { try $0.conversation(named: ref) }
      return [row?.isMuted, row?.isPinned]
    }
    try await store.write(.kill) { work in
      let id = try ConversationBook(work).open(.group(id: "k", title: "Trip", members: []))
      let opening = try #require(try work.rows.opening(of: id)).id
      try ConversationBook(work).completeOpening(opening, ConversationInfo(ref: first, type: .group))
    }
    #expect(try await settings(of: first) == [true, false])
    var info = ConversationInfo(ref: second, type: .group)
    info.replaces = [first]
    _ = try await store.write(.kill) { [info] in try ConversationBook($0).findOrCreate(info) }
    #expect(try await settings(of: second) == [false, true])
    await store.database.close()
  }

  @Test(
    "A diff that removes more than half of the contacts is not applied; the whole list is applied instead",
    .simulated)
  func doubted() async throws {
    let server = stage.server
    for name in ["bob", "carol", "dave"] { server.put(.friend(name), of: "alice") }
    let asked = Mutex<[ContactVersion?]>([])
    let alice = try await stage.client("alice", on: "phone") { backend in
      backend.inner.abilities.contacts = true
      backend.onContacts = { [inner = backend.inner] version in
        asked.withLock { $0.append(version) }
        var delta = try await inner.contacts(since: version)
        // By mistake, the diff removes two of the three stored contacts, and a user who is not a contact.
        if version != nil { delta.removed = [.user("bob"), .user("carol"), .user("eve")] }
        return delta
      }
    }
    let chat = try await alice.open(.direct("bob"))
    alice.start()
    try await alice.contacts.list { $0.count == 3 }
    server.put(.friend("erin"), of: "alice")
    server.removeContact(.user("dave"), of: "alice")
    // The whole list confirms which contacts were removed.
    try await alice.contacts.list { $0.map(\.name) == ["bob", "carol", "erin"] }
    let whole = asked.withLock { $0.count { $0 == nil } }
    #expect(whole > 1)
    try await alice.send(TextContent("still here"), to: chat)
    await alice.close()
  }

  @Test(
    "A contact that this device has never received is removed by such a diff, unless the whole list has it",
    .simulated(seeds: 1...3))
  func doubtedStranger() async throws {
    let server = stage.server
    server.put(.friend("dave"), of: "alice")
    let isDown = Mutex(false)
    let alice = try await stage.client("alice", on: "phone") { backend in
      backend.inner.abilities.contacts = true
      backend.onContacts = { [inner = backend.inner] version in
        if isDown.withLock({ $0 }) { throw BackendError(.unreachable, "The contact list is down.") }
        return try await inner.contacts(since: version)
      }
    }
    alice.start()
    try await alice.contacts.list { $0.count == 1 }
    isDown.withLock { $0 = true }
    let chat = try await alice.open(.direct("bob"))
    try await alice.send(TextContent("hello"), to: chat)
    try await alice.context(for: chat).list { $0.count(.sent) == 1 }
    for name in ["bob", "dave"] { server.removeContact(.user(UserID(name)), of: "alice") }
    isDown.withLock { $0 = false }
    try await alice.contacts.list { $0.isEmpty }
    try await alice.conversations.list { $0.isEmpty }
    await alice.close()
  }

  @Test(
    "A diff that does not continue from the stored version makes the client request the whole list",
    .simulated(seeds: 1...2))
  func notNext() async throws {
    let server = stage.server
    server.put(.friend("bob"), of: "alice")
    let alice = try await stage.client("alice", on: "phone") { backend in
      backend.inner.abilities.contacts = true
      backend.onContacts = { [inner = backend.inner] version in
        var delta = try await inner.contacts(since: version)
        if version != nil { delta.from = ContactVersion(rawValue: "another") }
        return delta
      }
    }
    alice.start()
    try await alice.contacts.list { $0.count == 1 }
    server.put(.friend("carol"), of: "alice")
    try await alice.contacts.list { $0.map(\.name) == ["bob", "carol"] }
    await alice.close()
  }
}

extension Contact {
  static func friend(_ name: String, remark: String? = nil, settings: ContactSettings? = nil) -> Contact {
    Contact(id: .user(UserID(name)), type: .friend, name: name, remark: remark, settings: settings)
  }
}

extension SimulatedStage {
  /// A client whose server keeps contacts and lets members leave groups.
  func contactClient(
    _ user: UserID, on device: String, options: ChatOptions = ChatOptions(),
    altering alter: (inout AlteredBackend) -> Void = { _ in }
  ) async throws -> ChatClient {
    try await client(user, on: device, options: options) { backend in
      backend.inner.abilities.contacts = true
      backend.inner.abilities.leaving = true
      alter(&backend)
    }
  }
}

extension ContactList {
  /// The list once it satisfies the condition; each update's change must lead to the update's snapshot.
  @discardableResult
  func list(where condition: (ListSnapshot<Contact>) -> Bool) async throws -> ListSnapshot<Contact> {
    var copy: [Contact] = []
    for await update in changes {
      update.change.apply(to: &copy, from: update.snapshot)
      try #require(copy == Array(update.snapshot))
      if condition(update.snapshot) { return update.snapshot }
    }
    throw Unexpected(what: "the list ended early")
  }
}
