import Foundation
import Skein

/// A database with very many messages: filling, opening and searching the database.
struct Large {
  let bench: Workbench

  private static let chats: Int64 = 100

  func figures(_ count: Int) async throws -> [Figure] {
    let folder = bench.path()
    let tenth = Int64(count / 10)
    var rates: [Double] = []
    for part in 0..<Int64(10) {
      let backend = InstantBackend(batches(part * tenth..<(part + 1) * tenth))
      let elapsed = try await time { await (try await bench.caughtUp(backend, at: folder)).close() }
      rates.append(Double(tenth) / elapsed.seconds)
    }
    var opens: [Double] = []
    var pages: [Double] = []
    var searches: [String: [Double]] = [:]
    for _ in 0..<5 {
      var opened: ChatClient?
      opens.append(
        try await time { opened = try await bench.client(InstantBackend(), at: folder) }.milliseconds)
      guard let client = opened else { continue }
      try await client.conversations.open()
      guard let chat = client.conversations.conversations.first else { throw BenchError("There is no chat.") }
      let context = client.context(for: chat.id)
      pages.append(try await time { try await context.open() }.milliseconds)
      for (name, text) in [("common", "green"), ("rare", "word4711"), ("chinese", "明天见")] {
        var found = 0
        let elapsed = try await time { found = try await client.searchMessages(text).count }
        guard found > 0 else { throw BenchError("No message with \(text) was found.") }
        searches[name, default: []].append(elapsed.milliseconds)
      }
      await client.close()
    }
    return [
      // The time of the last tenth divided by the time of the first tenth: at 1, the time does not grow.
      Figure("intake.\(count).growth", [rates[0] / rates[9]], "times", budget: 1.2),
      Figure("intake.\(count)", rates, "messages/s", .higher),
      Figure("open.\(count)", opens, "ms", budget: 5),
      Figure("page.\(count)", pages, "ms", budget: 1.5),
    ]
      + searches.sorted { $0.key < $1.key }.map {
        Figure("search.\($0.key).\(count)", $0.value, "ms", budget: 10)
      }
  }

  /// Batches with a hundred messages in each of ten chats. In each chat, the positions continue from batch to
  /// batch.
  private func batches(_ range: Range<Int64>) -> [SyncBatch] {
    stride(from: range.lowerBound, to: range.upperBound, by: 1000).map { start in
      let round = start / 1000
      let first = round / (Self.chats / 10) * 100 + 1
      let deltas = (0..<Int64(10)).map { number in
        let chat = round % (Self.chats / 10) * 10 + number
        return ConversationDelta.messages(first...first + 99, from: "user-\(chat)") {
          Self.text($0 + chat * 7919)
        }
      }
      return SyncBatch(
        from: start == 0 ? nil : SyncCursor(rawValue: "\(start)"),
        next: SyncCursor(rawValue: "\(start + 1000)"),
        hasMore: start + 1000 < range.upperBound, conversations: deltas)
    }
  }

  /// Four frequent words, six rare words and, in each tenth message, a Chinese sentence.
  private static func text(_ number: Int64) -> String {
    let colors = ["red", "green", "blue", "yellow", "black", "white", "brown"]
    let words = (0..<Int64(6)).map { "word\((number &* 31 &+ $0 &* $0 &* 101) % 50_000)" }
    let frequent = (0..<Int64(4)).map { colors[Int((number + $0 * 3) % 7)] }
    return (frequent + words).joined(separator: " ") + (number % 10 == 0 ? " 我们明天见面吧" : "")
  }
}
