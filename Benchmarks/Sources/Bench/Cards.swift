import Foundation
import Skein

/// Paging through messages of a kind that the app defines, against paging through texts.
struct Cards {
  /// A content with a few fields.
  private struct Offer: MessageContent {
    static let kind: MessageKind = "com.example.offer"
    var title: String
    var price: Int
    var tags: [String]
    var link: String
    var ends: Double
    var displayedText: String { title }
  }

  let bench: Workbench
  let rounds: Int

  /// Pages in turns through a chat with `count` cards and a chat with `count` texts.
  func figures(_ count: Int) async throws -> [Figure] {
    var kinds = KindRegistry.standard
    kinds.register(Offer.self)
    let cards = try ConversationDelta.messages(1...Int64(count), from: "cards").replacing {
      Offer(
        title: "offer \($0)", price: $0 * 100, tags: ["new", "near", "cheap"],
        link: "https://example.com/offers/\($0)", ends: 1_700_000_000.5)
    }
    let batch = SyncBatch(
      from: nil, next: SyncCursor(rawValue: "1"),
      conversations: [cards, .messages(1...Int64(count), from: "texts")])
    let client = try await bench.caughtUp(InstantBackend([batch]), kinds: kinds)
    var rates: [String: [Double]] = [:]
    for _ in 0..<max(rounds, 3) {
      for peer in ["cards", "texts"] {
        let context = client.context(for: try await client.open(.direct(UserID(peer))))
        var (seen, known) = (0, 0)
        let elapsed = try await time {
          try await context.open()
          while context.hasMorePreviousMessages { try await context.fetchMorePreviousMessages() }
          for case .message(let message) in context.messages {
            seen += 1
            if message.content.as(Offer.self) != nil { known += 1 }
          }
        }
        guard known == (peer == "cards" ? seen : 0), seen > 100 else {
          throw BenchError("\(known) of \(seen) cards were decoded.")
        }
        rates[peer, default: []].append(Double(count) / elapsed.seconds)
      }
    }
    await client.close()
    let texts = rates["texts"] ?? []
    return [
      Figure("list.texts", texts, "messages/s", .higher),
      Figure(
        "list.cards", rates["cards"] ?? [], "messages/s", .higher, reference: texts.percentile(0.5)),
    ]
  }
}

extension ConversationDelta {
  /// The same messages, each with the content that the closure returns for its index.
  fileprivate func replacing<Content: MessageContent>(_ content: (Int) -> Content) throws -> ConversationDelta
  {
    var delta = self
    for index in delta.messages.indices {
      delta.messages[index].kind = Content.kind
      delta.messages[index].payload = try KindRegistry.encode(content(index))
    }
    return delta
  }
}
