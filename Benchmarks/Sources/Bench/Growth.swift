import Foundation
import Skein

/// How the engine's work grows with the number of lanes, and with the number of edits of a message.
struct Growth {
  let bench: Workbench
  let rounds: Int

  /// Sending a thousand messages that were composed offline, for each number of chats that the messages are
  /// spread over. The server has these chats already.
  func lanes(_ counts: [Int]) async throws -> [Figure] {
    let total = 1000
    var figures: [Figure] = []
    for count in counts {
      var rates: [Double] = []
      for _ in 0..<rounds {
        let deltas = (0..<count).map {
          ConversationDelta(info: .chat("user-\($0)"), count: 0, messages: [])
        }
        let backend = InstantBackend([
          SyncBatch(from: nil, next: SyncCursor(rawValue: "0"), conversations: deltas)
        ])
        let client = try await bench.caughtUp(backend)
        await client.stop()
        var chats: [ConversationID] = []
        for number in 0..<count { chats.append(try await client.open(.direct(UserID("user-\(number)")))) }
        var sent: [SentMessage] = []
        for number in 0..<total {
          sent.append(try await client.send(TextContent("message \(number)"), to: chats[number % count]))
        }
        let elapsed = try await time {
          client.start()
          for message in sent { _ = try await message.result }
        }
        guard backend.received == total else {
          throw BenchError("\(backend.received) of \(total) messages arrived.")
        }
        rates.append(Double(total) / elapsed.seconds)
        await client.close()
      }
      figures.append(Figure("lanes.drain.\(count)", rates, "messages/s", .higher))
    }
    return figures
  }

  /// A pushed edit of a message, for each number of earlier edits of the message.
  func edits(_ counts: [Int]) async throws -> [Figure] {
    let most = (counts.last ?? 0) + 10
    var times: [Int: [Double]] = [:]
    for _ in 0..<rounds {
      let first = SyncBatch(
        from: nil, next: SyncCursor(rawValue: "0"), conversations: [.messages(1...10, from: "bob")])
      let backend = InstantBackend([first])
      let client = try await bench.caughtUp(backend)
      for edit in 1...most {
        let batch = Self.edit(edit, of: first.conversations[0])
        let elapsed = await time { await backend.push(batch) }.milliseconds
        if let count = counts.last(where: { $0 < edit }), edit <= count + 10 {
          times[count, default: []].append(elapsed)
        }
      }
      let context = client.context(for: try await client.open(.direct("bob")))
      try await context.open()
      let text = context.messages.last?.message?.content.as(TextContent.self)?.text
      guard text == "edit \(most)" else {
        throw BenchError("After \(most) edits, the message is \(text ?? "missing").")
      }
      await client.close()
    }
    return counts.map { Figure("edit.after.\($0)", times[$0] ?? [], "ms") }
  }

  /// The batch with an edit of a chat's last message.
  private static func edit(_ number: Int, of chat: ConversationDelta) -> SyncBatch {
    var chat = chat
    chat.revised = Array(chat.messages.suffix(1))
    chat.revised[0].revision = Int64(number)
    chat.revised[0].edited = Timestamp(milliseconds: 1_700_000_100_000 + Int64(number))
    chat.revised[0].payload = Data(#"{"text":"edit \#(number)"}"#.utf8)
    (chat.messages, chat.count) = ([], 0)
    return SyncBatch(
      from: SyncCursor(rawValue: "\(number - 1)"), next: SyncCursor(rawValue: "\(number)"),
      conversations: [chat])
  }
}
