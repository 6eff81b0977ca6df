import Foundation
import SkeinServer
import SkeinStorage
import SkeinWire
import Testing

struct RestartTests {
  @Test("A restart keeps epoch, tokens, cursors, positions and message ids")
  func restart() async throws {
    try await TestServer.run { server in
      var ann = try await server.user("ann")
      let id = try await ann.group("g").id
      try await ann.messages(["1", "2"], to: id)
      let before = try await ann.sync()
      try await ann.messages(["3"], to: id)
      try await server.restart()

      ann.port = await server.port
      let after = try await ann.sync(before.next)
      #expect(after.epoch == before.epoch)
      #expect(after.conversations.first?.messages.map(\.position) == [3])
      try await ann.message("2", to: id).expect(200)
      try await ann.message("2", "1", to: id).expect(409, .idInUse)
      let next: Wire.MessageReceipt = try await ann.message("4", to: id).expect(201).decoded()
      #expect(next.position == 4)
      #expect(try await ann.group("g").id == id)
    }
  }

  @Test("Two databases have different epochs, and a server refuses a cursor from the other database")
  func epochs() async throws {
    try await TestServer.run { one in
      try await TestServer.run { two in
        let ann = try await one.user("ann").sync()
        let other = try await two.user("ann")
        #expect(try await other.sync().epoch != ann.epoch)
        try await other.get("sync?cursor=\(ann.next)").expect(400, .badCursor)
      }
    }
  }

  @Test("A server that was restored from a backup refuses a cursor that is newer than the backup")
  func restored() async throws {
    try await TestServer.run { server in
      var ann = try await server.user("ann")
      let id = try await ann.group("g").id
      await server.stop()
      let file = server.folder.appending(path: "server.sqlite")
      let backup = try Data(contentsOf: file)
      try await server.start()
      ann.port = await server.port
      try await ann.messages(["1"], to: id)
      let cursor = try await ann.sync().next
      await server.stop()
      try backup.write(to: file)
      try await server.start()
      ann.port = await server.port
      try await ann.get("sync?cursor=\(cursor)").expect(400, .badCursor)
    }
  }

  @Test("After a power cut has undone a read mark, clients that know the mark still receive later messages")
  func undoneMark() async throws {
    try await TestServer.run { server in
      var ann = try await server.user("ann"), bo = try await server.user("bo")
      let id = try await ann.direct("bo").id
      try await ann.messages(["1"], to: id)
      let onDisk = try server.databaseFiles()
      try await bo.post("conversations/\(id)/read", Wire.ReadRequest(position: 1)).expect(200)
      let cursor = try await bo.sync().next
      await server.stop()
      try server.restore(onDisk)
      try await server.start()
      (ann.port, bo.port) = (await server.port, await server.port)
      try await ann.messages(["2"], to: id)
      let changes = try await bo.sync(cursor).conversations
      #expect(changes.first?.messages.map(\.position) == [2])
      #expect(changes.first?.conversation.readPosition == 0)
    }
  }

  @Test("A new epoch keeps the stored messages, refuses every earlier cursor, and survives a restart")
  func newEpoch() async throws {
    try await TestServer.run { server in
      var ann = try await server.user("ann")
      let id = try await ann.group("g").id
      try await ann.messages(["1"], to: id)
      let before = try await ann.sync()
      try await server.restart { $0.beginsEpoch = true }
      ann.port = await server.port
      try await ann.get("sync?cursor=\(before.next)").expect(400, .badCursor)
      let after = try await ann.sync()
      #expect(after.epoch != before.epoch)
      #expect(after.conversations == before.conversations)
      #expect(try await ann.history(id).epoch == after.epoch)
      try await server.restart { $0.beginsEpoch = false }
      ann.port = await server.port
      #expect(try await ann.sync(after.next).epoch == after.epoch)
    }
  }

  @Test("A file that is not a database is refused and left unchanged")
  func noDatabase() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "skein-server-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "server.sqlite")
    let text = Data(String(repeating: "This is a letter. ", count: 100).utf8)
    try text.write(to: file)
    await #expect {
      _ = try await ChatServer.start(ServerOptions(folder: folder))
    } throws: { error in
      (error as? StorageError)?.code == .notADatabase
    }
    #expect(try Data(contentsOf: file) == text)
  }

  @Test(
    "A full disk loses no acknowledged message, and posting works again once there is space")
  func full() async throws {
    try await TestServer.run({ $0.limits.databasePages = 100 }) { server in
      var ann = try await server.user("ann")
      let id = try await ann.group("g").id
      let content = "\"" + String(repeating: "x", count: 8000) + "\""
      var stored = 0
      while true {
        let answer = try await ann.message("\(stored)", content, to: id)
        guard answer.status == 201 else {
          try answer.expect(507, .storageFull)
          break
        }
        stored += 1
      }
      #expect(stored > 0)
      try await ann.get("health").expect(200)
      #expect(try await ann.history(id, "limit=200").messages.count == stored)

      try await server.restart { $0.limits.databasePages = nil }
      ann.port = await server.port
      #expect(
        try await ann.history(id, "limit=200").messages.map(\.id.rawValue) == (0..<stored).map(String.init))
      let next: Wire.MessageReceipt = try await ann.message(
        "\(stored)", content, to: id
      )
      .expect(201).decoded()
      #expect(next.position == Int64(stored + 1))
    }
  }

  @Test("Messages that no longer fit in the database do not affect others that are posted at the same time")
  func fullForOne() async throws {
    try await TestServer.run({ $0.limits.databasePages = 200 }) { server in
      let ann = try await server.user("ann")
      let id = try await ann.group("g").id
      let large = "\"" + String(repeating: "x", count: 100_000) + "\""
      var stored = 0
      while try await ann.message("large\(stored)", large, to: id).status == 201 { stored += 1 }
      let statuses = try await withThrowingTaskGroup(of: (Bool, Int).self) { group in
        for number in 0..<20 {
          let isLarge = number.isMultiple(of: 2)
          group.addTask {
            (isLarge, try await ann.message("m\(number)", isLarge ? large : "{}", to: id).status)
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses.allSatisfy { isLarge, status in status == (isLarge ? 507 : 201) })
      #expect(try await ann.group("g").head == Int64(stored + 10))
    }
  }
}

extension TestServer {
  /// The contents of the database's file and of its log, by the ends of their names.
  fileprivate nonisolated func databaseFiles() throws -> [(end: String, contents: Data)] {
    try ["", "-wal"].map { ($0, try Data(contentsOf: databaseFile($0))) }
  }

  /// Puts the files of a stopped server back. SQLite makes the third file, `-shm`, from the log.
  fileprivate nonisolated func restore(_ files: [(end: String, contents: Data)]) throws {
    try? FileManager.default.removeItem(at: databaseFile("-shm"))
    for file in files { try file.contents.write(to: databaseFile(file.end)) }
  }

  private nonisolated func databaseFile(_ end: String) -> URL {
    folder.appending(path: "server.sqlite\(end)")
  }
}
