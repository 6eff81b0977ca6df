import Foundation
import SkeinSimulation
import SkeinStorage
import Testing

@testable import Skein

@Suite("The search index of the messages")
struct SearchIndexingTests {
  @Test(
    "A message that is in the index stays in the index when its receipt arrives", .simulated(seeds: 1...2))
  func receipt() async throws {
    let store = try await OddServerTests.store(stage)
    let chat = try await store.write(.kill) { try ConversationBook($0).open(.direct("alice")) }
    let draft = EncodedMessage(
      messageID: MessageID(rawValue: "own"), kind: "text", payload: Data(#"{"text":"word"}"#.utf8),
      needsPreparation: false)
    let sent = try await store.write(.kill) { try Composing($0).compose(draft, in: chat).id }
    try await SearchIndexing(store: store).indexWaiting(withUnsent: true)
    let receipt = SendReceipt(position: Position(rawValue: 1), time: Timestamp(milliseconds: 1))
    try await store.write(.kill) { try Attempts($0).acknowledge(sent, receipt) }
    let waiting = try await store.read { try $0.messagesToIndex(withUnsent: true, limit: 9) }
    #expect(waiting.isEmpty)
    let entries = try await store.read { try $0.scalar(Int.self, "SELECT count(*) FROM message_search") }
    #expect(entries == 1)
    await store.database.close()
  }
}
