import Foundation
import Skein

/// Starting with a large database.
struct Opening {
  let bench: Workbench
  let rounds: Int

  func figures(chats: Int, messages: Int) async throws -> [Figure] {
    let folder = bench.path()
    let batches = stride(from: 0, to: chats, by: 100).map { start in
      SyncBatch(
        from: start == 0 ? nil : SyncCursor(rawValue: "\(start)"),
        next: SyncCursor(rawValue: "\(start + 100)"),
        hasMore: start + 100 < chats,
        conversations: (start..<min(start + 100, chats)).map {
          .messages(1...Int64(messages), from: "user-\($0)")
        })
    }
    await (try await bench.caughtUp(InstantBackend(batches), at: folder)).close()
    var opens: [Double] = []
    var lists: [Double] = []
    var firsts: [Double] = []
    var pages: [Double] = []
    for _ in 0..<max(rounds, 5) {
      var client: ChatClient?
      opens.append(
        try await time { client = try await bench.client(InstantBackend(), at: folder) }.milliseconds)
      guard let client else { continue }
      let opened = ContinuousClock.now
      for await update in client.conversations.changes where !update.snapshot.isEmpty { break }
      firsts.append((ContinuousClock.now - opened).milliseconds)
      try await client.conversations.open()
      lists.append((ContinuousClock.now - opened).milliseconds)
      guard client.conversations.conversations.count == chats else {
        throw BenchError("The list has \(client.conversations.conversations.count) of \(chats) chats.")
      }
      if let chat = client.conversations.conversations.first {
        let context = client.context(for: chat.id)
        pages.append(try await time { try await context.open() }.milliseconds)
      }
      await client.close()
    }
    let size = "\(chats)x\(messages)"
    let memory = try Self.memory(of: folder)
    return [
      Figure("memory.\(size)", [memory], "MB", budget: 40),
      Figure("open.\(size)", opens, "ms", budget: 5),
      Figure("conversations.first.\(size)", firsts, "ms", budget: 5),
      Figure("conversations.open.\(size)", lists, "ms"),
      Figure("page.\(size)", pages, "ms", budget: 1.5),
    ]
  }

  /// The option with which the program only opens the database in a folder and prints its memory.
  static let memoryOption = "--memory-of"

  /// The resident memory of a process of its own that has opened the database and its list of conversations.
  private static func memory(of folder: URL) throws -> Double {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = [memoryOption, folder.path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard let bytes = Double(text.filter(\.isNumber)) else { throw BenchError("The memory is not known.") }
    return bytes / 1_048_576
  }

  /// Opens the database in a folder, and prints the bytes of resident memory.
  static func printMemory(of folder: URL, _ bench: Workbench) async throws {
    let client = try await bench.client(InstantBackend(), at: folder)
    for await update in client.conversations.changes where !update.snapshot.isEmpty { break }
    let pages = try String(contentsOf: URL(fileURLWithPath: "/proc/self/statm"), encoding: .utf8)
      .split(separator: " ")
    Bench.write("\((Int(pages[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))))\n")
    await client.close()
  }
}
