import Foundation
import Skein
import SkeinStorage
import Synchronization
import Testing

@Suite("Databases of earlier versions")
struct OldDatabaseTests {
  /// The version of the databases that the engine writes.
  static let current = 15

  @Test(
    "A database of any earlier version opens with its messages and the operations in its outbox",
    .simulated(seeds: 1...1),
    arguments: OldDatabases.all)
  func opens(version: Int, sql: String, waiting: Int) async throws {
    try await Self.write(sql, as: version, to: stage.folder.appending(path: "old"))
    let alice = try await stage.client("alice", on: "old")
    let conversations = try await alice.conversations.list { !$0.isEmpty }
    let direct = try #require(conversations.first { $0.type == .direct })
    let context = alice.context(for: direct.id)
    let list = try await context.list { $0.count == 3 }
    #expect(list.texts == ["hello", "old times", "written offline"])
    #expect(list.statuses == [.sent, .sent, .queued])
    #expect(try await alice.waitingMessageCount() == waiting)
    await alice.close()

    let fresh = try await stage.client("alice", on: "new")
    await fresh.close()
    let schemas = try await [Self.schema(in: stage, "old"), Self.schema(in: stage, "new")]
    #expect(schemas[0] == schemas[1])
  }

  @Test(
    "A group that was still to be opened in version 2 keeps its key, however often opening it is tried",
    .simulated(seeds: 1...1))
  func openingKey() async throws {
    try await Self.write(OldDatabases.version2, as: 2, to: stage.folder.appending(path: "old"))
    let requests = Mutex<[ConversationRequest]>([])
    let alice = try await stage.client("alice", on: "old") { backend in
      backend.onOpen = { request in
        if case .group = request { requests.withLock { $0.append(request) } }
        throw BackendError(.permanent, "Not now.")
      }
    }
    let conversations = try await alice.conversations.list { !$0.isEmpty }
    let group = try #require(conversations.first { $0.type == .group })
    let context = alice.context(for: group.id)
    alice.start()
    // The database is a copy: the message may have been sent from the original.
    let uncertain = try await context.list { $0.count(.uncertain) == 1 }
    let id = try #require(uncertain.last?.message?.id)
    try await context.messenger.retry(id)
    while requests.withLock({ $0.count }) == 1 {
      try await stage.runtime(named: "stage").sleep(for: .milliseconds(100))
    }
    try await context.list { $0.count(.uncertain) == 1 }
    let asked = requests.withLock { $0 }
    let own = ConversationRequest.group(
      id: "c710039f6253f7ff92f47171de440c43", title: "Trip", members: ["bob"])
    #expect(asked == [own, own])
    await alice.close()
  }

  @Test("Pins of version 7 become flags, and a waiting pin can be removed", .simulated(seeds: 1...1))
  func pins() async throws {
    try await Self.write(OldDatabases.version7, as: 7, to: stage.folder.appending(path: "old"))
    let alice = try await stage.client("alice", on: "old")
    let conversations = try await alice.conversations.list { !$0.isEmpty }
    let context = alice.context(for: try #require(conversations.first { $0.type == .direct }).id)
    let list = try await context.list { $0.count == 3 }
    #expect(list.compactMap(\.message).map(\.isPinned) == [true, true, false])
    #expect(list.compactMap(\.message).map(\.hasPendingAction) == [false, true, false])
    for await pinned in context.pinnedMessageUpdates where pinned.count == 3 {
      #expect(pinned.map(\.id?.rawValue) == [2, 1, nil])
      break
    }
    let ids = list.compactMap(\.message?.id)
    try await context.messenger.unpin(ids[1])
    #expect(context.messages.compactMap(\.message).map(\.isPinned) == [true, false, false])
    // The database counts as a copy. The original may have set the pin, so its removal waits as well.
    #expect(context.messages.compactMap(\.message).map(\.hasPendingAction) == [false, true, false])
    await alice.close()
  }

  @Test(
    "A chat that was cleared in version 4 gets the time of the clear from its messages",
    .simulated(seeds: 1...1), arguments: [1, 2])
  func clearedTime(floor: Int64) async throws {
    let folder = stage.folder.appending(path: "old")
    let cleared =
      ";\nDELETE FROM message WHERE id = 1;\nUPDATE conversation SET floor = \(floor) WHERE id = 1"
    try await Self.write(OldDatabases.version4 + cleared, as: 4, to: folder)
    let alice = try await stage.client("alice", on: "old")
    await alice.close()
    let database = try await Database.open(
      at: folder.appending(path: "chat.sqlite"), schema: Schema(version: Self.current, tables: []))
    let times = try await database.read {
      try $0.rows(Int64?.self, "SELECT cleared_time FROM conversation ORDER BY id")
    }
    await database.close()
    // Without the first message, the time of the clear follows from the second message alone.
    let expected: Int64 = floor == 1 ? 1_795_307_927_543 : 1_795_307_927_544
    #expect(times == [expected, nil])
  }

  @Test(
    "Chats that were muted or pinned in version 14 stay so, and the settings wait to be sent",
    .simulated(seeds: 1...1))
  func settings() async throws {
    let folder = stage.folder.appending(path: "old")
    let set = ";\nUPDATE conversation SET is_muted = 1, is_pinned = 1 WHERE id = 1"
    try await Self.write(OldDatabases.version14 + set, as: 14, to: folder)
    let alice = try await stage.client("alice", on: "old")
    let list = try await alice.conversations.list { $0.count == 2 }
    #expect(list.map(\.isMuted) == [true, false] && list.map(\.isPinned) == [true, false])
    await alice.close()
    let database = try await Database.open(
      at: folder.appending(path: "chat.sqlite"), schema: Schema(version: Self.current, tables: []))
    let waiting = try await database.read {
      try $0.rows(Int.self, "SELECT unconfirmed_settings FROM conversation ORDER BY id")
    }
    await database.close()
    #expect(waiting == [3, 0])
  }

  /// Writes a database as the engine of the given version did.
  static func write(_ sql: String, as version: Int, to folder: URL) async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let database = try await Database.open(
      at: folder.appending(path: "chat.sqlite"), schema: Schema(version: version, tables: []))
    try await database.write { transaction in
      for statement in sql.split(separator: ";\n") { try transaction.execute(String(statement)) }
    }
    await database.close()
  }

  private static func schema(in stage: SimulatedStage, _ device: String) async throws -> StoredSchema {
    let file = stage.folder.appending(path: device).appending(path: "chat.sqlite")
    let database = try await Database.open(at: file, schema: Schema(version: Self.current, tables: []))
    let schema = try await database.read { try StoredSchema($0) }
    await database.close()
    return schema
  }
}
