import Foundation
import Skein

/// Starting with a large database.
struct Opening {
  let bench: Workbench
  let rounds: Int

  func figures(chats: Int, messages: Int) async throws -> [Figure] {
    let folder = try await filled(chats: chats, messages: messages)
    var opens: [Double] = []
    var lists: [Double] = []
    var firsts: [Double] = []
    var pages: [Double] = []
    for _ in 0..<rounds {
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
    let warm = try (0..<rounds).map { _ in try Self.started(with: folder) }
    let cold = try (0..<rounds).map { _ in
      try Self.forget(folder)
      return try Self.started(with: folder).time
    }
    let warmTimes = warm.map(\.time)
    return [
      Figure("memory.\(size)", warm.map(\.memory), "MB", budget: 40),
      Figure("open.\(size)", opens, "ms", budget: 5),
      Figure("conversations.first.\(size)", firsts, "ms", budget: 5),
      Figure("conversations.first.chats-\(chats)", firsts, "ms", budget: 5),
      Figure("conversations.open.\(size)", lists, "ms"),
      Figure("page.\(size)", pages, "ms", budget: 1.5),
      Figure("open.warm.\(size)", warmTimes, "ms"),
      Figure("open.cold.\(size)", cold, "ms", reference: warmTimes.percentile(0.5)),
    ]
  }

  /// The time after opening until the list has its first conversations.
  func first(chats: Int, messages: Int) async throws -> Figure {
    let folder = try await filled(chats: chats, messages: messages)
    var times: [Double] = []
    for _ in 0..<rounds {
      let client = try await bench.client(InstantBackend(), at: folder)
      let opened = ContinuousClock.now
      for await update in client.conversations.changes where !update.snapshot.isEmpty { break }
      times.append((ContinuousClock.now - opened).milliseconds)
      await client.close()
    }
    return Figure("conversations.first.chats-\(chats)", times, "ms", budget: 5)
  }

  /// A new folder with a database of `chats` chats, each with `messages` messages.
  private func filled(chats: Int, messages: Int) async throws -> URL {
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
    return folder
  }
}
