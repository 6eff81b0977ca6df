import CReference
import Foundation
import Skein

/// Receiving: pushed batches as a chat grows, and many messages at once.
struct Receiving {
  let bench: Workbench
  let rounds: Int

  /// A pushed batch of 100 messages, for each number of unread messages that the chat has before the batches.
  func pushes(_ unread: [Int]) async throws -> [Figure] {
    var figures: [Figure] = []
    for count in unread {
      let backend = InstantBackend(chunks(of: count))
      let client = try await bench.caughtUp(backend)
      var times: [Double] = []
      for round in 0..<Int64(max(rounds * 5, 10)) {
        let first = Int64(count) + round * 100 + 1
        let batch = SyncBatch(
          from: cursor(Int64(count) + round * 100), next: cursor(Int64(count) + round * 100 + 100),
          conversations: [.messages(first...first + 99, from: "bob")])
        times.append(await time { await backend.push(batch) }.milliseconds)
      }
      try await bench.unread(count + times.count * 100, in: client)
      await client.close()
      figures.append(Figure("push.100.unread-\(count)", times, "ms", budget: 4))
    }
    return figures
  }

  /// A pushed message, for each number of gaps in the chat.
  func gaps(_ counts: [Int]) async throws -> [Figure] {
    var figures: [Figure] = []
    for count in counts {
      // Of ten new messages in each sync, the server returns the newest five.
      let batches = (0..<Int64(count)).map { number in
        var delta = ConversationDelta.messages(number * 10 + 6...number * 10 + 10, from: "bob")
        delta.count = 10
        return SyncBatch(
          from: number == 0 ? nil : cursor(number), next: cursor(number + 1), hasMore: number + 1 < count,
          conversations: [delta])
      }
      let backend = InstantBackend(batches)
      let client = try await bench.caughtUp(backend)
      var times: [Double] = []
      for round in 0..<Int64(rounds * 20) {
        let position = Int64(count) * 10 + round + 1
        let batch = SyncBatch(
          from: cursor(Int64(count) + round), next: cursor(Int64(count) + round + 1),
          conversations: [.messages(position...position, from: "bob")])
        times.append(await time { await backend.push(batch) }.milliseconds)
      }
      let context = client.context(for: try await client.open(.direct("bob")))
      try await context.open()
      let newest = context.messages.last?.message?.messageID.rawValue
      guard newest == "bob-\(count * 10 + times.count)" else {
        throw BenchError("A pushed message is missing.")
      }
      await client.close()
      figures.append(Figure("push.1.gaps-\(count)", times, "ms", budget: 0.6))
    }
    return figures
  }

  /// The intake of `messages` messages in each of `chats` chats, with a sync for each chat. The reference
  /// inserts the same rows in C, with the same indexes and the same search index.
  func intake(chats: Int, messages: Int) async throws -> Figure {
    let total = chats * messages
    var rates: [Double] = []
    var folder = bench.path()
    for _ in 0..<rounds {
      let batches = (0..<chats).map { chat in
        SyncBatch(
          from: chat == 0 ? nil : cursor(Int64(chat)), next: cursor(Int64(chat + 1)),
          hasMore: chat < chats - 1,
          conversations: [.messages(1...Int64(messages), from: "user-\(chat)")])
      }
      folder = bench.path()
      let elapsed = try await time {
        await (try await bench.caughtUp(InstantBackend(batches), at: folder)).close()
      }
      rates.append(Double(total) / elapsed.seconds)
    }
    let plain = try bench.plainInserts(of: folder, count: total, batch: messages)
    return Figure(
      "intake.\(chats)x\(messages)", rates, "messages/s", .higher, budget: plain / 1.5, reference: plain)
  }

  /// The first syncs of a chat with `count` messages.
  private func chunks(of count: Int) -> [SyncBatch] {
    stride(from: 0, to: Int64(count), by: 1000).map { start in
      let end = min(start + 1000, Int64(count))
      return SyncBatch(
        from: start == 0 ? nil : cursor(start), next: cursor(end), hasMore: end < Int64(count),
        conversations: [.messages(start + 1...end, from: "bob")])
    }
  }

  private func cursor(_ number: Int64) -> SyncCursor { SyncCursor(rawValue: "\(number)") }
}
