import Foundation
import Skein
import SkeinSimulation
import SkeinStorage
import Synchronization
import Testing

@Suite("A process that is killed at any of its database statements")
struct KilledTests {
  /// A process that dies before a given statement and leaves its files as they are then.
  private final class Victim: Sendable {
    private let left: Mutex<Int>
    let folder: URL
    let remains: URL

    init(_ folder: URL, diesAt statement: Int) {
      self.folder = folder
      remains = folder.deletingLastPathComponent().appending(path: "\(folder.lastPathComponent).remains")
      left = Mutex(statement)
    }

    var isDead: Bool { left.withLock { $0 < 0 } }

    func pass() throws {
      let isDying = try left.withLock { left in
        guard left >= 0 else { throw ProcessDied() }
        left -= 1
        return left < 0
      }
      guard isDying else { return }
      try KilledTests.copy(folder, to: remains)
      throw ProcessDied()
    }
  }

  /// The rows that must change together, as one text for each state.
  private struct Dump {
    let queries: [String]

    func read(_ folder: URL) throws -> String {
      try Inspection.read(folder.appending(path: "chat.sqlite")) { rows in
        try queries.map { try rows.scalar(String.self, $0) ?? "" }.joined(separator: "\n")
      }
    }
  }

  /// Copies the database without its shared memory file, which belongs to open connections.
  private static func copy(_ folder: URL, to target: URL) throws {
    let files = FileManager.default
    try files.createDirectory(at: target, withIntermediateDirectories: true)
    for part in ["chat.sqlite", "chat.sqlite-wal"] {
      let file = folder.appending(path: part)
      guard files.fileExists(atPath: file.path) else { continue }
      try files.copyItem(at: file, to: target.appending(path: part))
    }
  }

  /// Starts processes on copies of `old`; each dies one statement later than the process before it.
  ///
  /// - Parameter live: the work of a process; it must return in the process that does not die.
  /// - Returns: the files after each death, in order, and last the files of the process that does not die.
  private static func deaths(
    _ stage: SimulatedStage, from old: URL, live: @escaping @Sendable (Runtime) async throws -> Void
  ) async throws -> [URL] {
    var remains: [URL] = []
    while true {
      let victim = Victim(stage.folder.appending(path: "life-\(remains.count)"), diesAt: remains.count)
      try copy(old, to: victim.folder)
      var runtime = stage.runtime(named: victim.folder.lastPathComponent)
      runtime.gate = { _ in try victim.pass() }
      let life = runtime
      let task = life.spawn { try await live(life) }
      let isOver = Mutex(false)
      let watch = life.spawn {
        _ = await task.result
        isOver.withLock { $0 = true }
      }
      while !victim.isDead, !isOver.withLock({ $0 }) { try await life.sleep(for: .milliseconds(5)) }
      task.cancel()
      remains.append(victim.isDead ? victim.remains : victim.folder)
      if !victim.isDead {
        try await watch.value
        return remains
      }
    }
  }

  /// Checks that the first states are the old state, and all later states are the new state.
  private func expectOldOrNew(_ states: [String], _ old: String) throws {
    let new = try #require(states.last)
    #expect(old != new)
    let changed = states.firstIndex { $0 != old } ?? 0
    #expect(changed > 0)
    #expect(changed < states.count - 1)
    for (statement, state) in states.enumerated().dropFirst(changed) where state != new {
      throw Unexpected(
        what: "died at statement \(statement):\n\(state)\nwith neither the old state\n\(old)\nnor the new")
    }
  }

  @Test(
    "If the process is killed during a catch-up, messages, spans, counts and cursor are all old or all new",
    .simulated(seeds: 1...1))
  func catchUp() async throws {
    let dump = Dump(queries: [
      "SELECT cursor FROM account",
      """
      SELECT json_group_array(json_array(id, ref, unread_count, last_message, synced_to)) FROM
        (SELECT * FROM conversation ORDER BY id)
      """,
      """
      SELECT json_group_array(json_array(id, conversation, rank, server_id, hex(payload))) FROM
        (SELECT * FROM message ORDER BY id)
      """,
      """
      SELECT json_group_array(json_array(conversation, lower, upper, unread_below)) FROM
        (SELECT * FROM span ORDER BY conversation, lower)
      """,
    ])
    let refs = try (1...3).map { try stage.server.open(.direct("bob"), by: UserID("friend\($0)")).ref }
    for (number, ref) in refs.enumerated() {
      for text in ["one", "two"] {
        try stage.server.post(text, from: UserID("friend\(number + 1)"), in: ref)
      }
    }
    @Sendable func live(_ runtime: Runtime) async throws {
      let backend = MemoryBackend(user: "bob", server: stage.server, runtime: runtime)
      let bob = try await ChatClient.open(account: "bob", backend: backend, runtime: runtime)
      bob.start()
      for await state in bob.catchUpStates where state == .caughtUp { break }
      await bob.close()
    }
    try await live(stage.runtime(named: "old"))
    for (number, ref) in refs.enumerated() {
      for text in ["three", "four", "five"] {
        try stage.server.post(text, from: UserID("friend\(number + 1)"), in: ref)
      }
    }
    let old = stage.folder.appending(path: "old")
    let states = try await Self.deaths(stage, from: old, live: live).map(dump.read)
    try self.expectOldOrNew(states, try dump.read(old))
  }

  @Test(
    "If a kill interrupts the removal of a contact, the chat closes and its unsent messages fail, or nothing changes",
    .simulated(seeds: 1...1))
  func cascade() async throws {
    let dump = Dump(queries: [
      "SELECT json_group_array(json_array(id, removed IS NULL)) FROM (SELECT * FROM contact ORDER BY id)",
      "SELECT json_group_array(json_array(id, is_closed, unread_count)) FROM (SELECT * FROM conversation ORDER BY id)",
      """
      SELECT json_group_array(json_array(id, conversation, status < 2, failure_code)) FROM
        (SELECT * FROM message ORDER BY id)
      """,
      "SELECT json_group_array(json_array(id, message)) FROM (SELECT * FROM operation ORDER BY id)",
    ])
    for name in ["bob", "carol", "dave"] { stage.server.put(.friend(name), of: "alice") }
    let ref = try stage.server.open(.direct("alice"), by: "bob").ref
    for text in ["one", "two"] { try stage.server.post(text, from: "bob", in: ref) }
    @Sendable func open(_ runtime: Runtime) async throws -> ChatClient {
      var backend = AlteredBackend(
        inner: MemoryBackend(user: "alice", server: stage.server, runtime: runtime))
      backend.inner.abilities.contacts = true
      backend.onSend = { _ in throw BackendError(.transient, "Not now.", retryAfter: .seconds(3600)) }
      return try await ChatClient.open(account: "alice", backend: backend, runtime: runtime)
    }
    let alice = try await open(stage.runtime(named: "old"))
    alice.start()
    let chat = try await alice.conversations.first { $0.unreadCount == 2 }.id
    for text in ["first", "second", "third"] { try await alice.send(TextContent(text), to: chat) }
    await alice.close()
    stage.server.removeContact(.user("bob"), of: "alice")
    let old = stage.folder.appending(path: "old")
    let states = try await Self.deaths(stage, from: old) { runtime in
      let alice = try await open(runtime)
      alice.start()
      for await state in alice.catchUpStates where state == .caughtUp { break }
      await alice.close()
    }.map(dump.read)
    try self.expectOldOrNew(states, try dump.read(old))
  }

  @Test(
    "If the process is killed during a migration, the database still opens with all messages and operations",
    .simulated(seeds: 1...1),
    arguments: OldDatabases.all)
  func migration(version: Int, sql: String, waiting: Int) async throws {
    let dump = Dump(queries: [
      """
      SELECT json_group_array(json_array(id, conversation, rank, server_id, status, hex(payload))) FROM
        (SELECT * FROM message ORDER BY id)
      """,
      "SELECT json_group_array(json_array(id, conversation, kind, message)) FROM (SELECT * FROM operation ORDER BY id)",
      "SELECT json_group_array(json_array(id, ref, type, peer, title, draft)) FROM (SELECT * FROM conversation ORDER BY id)",
    ])
    let old = stage.folder.appending(path: "old")
    try await OldDatabaseTests.write(sql, as: version, to: old)
    let before = try dump.read(old)
    let remains = try await Self.deaths(stage, from: old) { runtime in
      let backend = MemoryBackend(user: "alice", server: stage.server, runtime: runtime)
      await (try ChatClient.open(account: "alice", backend: backend, runtime: runtime)).close()
    }
    var versions: [Int] = []
    for (statement, folder) in remains.enumerated() {
      let file = folder.appending(path: "chat.sqlite")
      versions.append(try Inspection.read(file) { try $0.scalar(Int.self, "PRAGMA user_version") ?? 0 })
      #expect(try dump.read(folder) == before, "died at statement \(statement): something is lost")
      guard statement % 5 == 0 else { continue }
      let alice = try await stage.client("alice", on: folder.lastPathComponent)
      #expect(
        try await alice.waitingMessageCount() == waiting,
        "died at statement \(statement): the outbox has lost something")
      await alice.close()
    }
    #expect(versions == versions.sorted())
    #expect(Set(versions).isSuperset(of: [version, OldDatabaseTests.current]))
  }
}
