import Foundation
import Testing

@testable import Skein

@Suite("Stored JSON")
struct StoredJSONTests {
  @Test("The keys of a stored value are sorted, so that equal values have equal bytes")
  func sorted() throws {
    let quote = StoredQuote(
      message: MessageReference(
        sender: "bob", messageID: MessageID(rawValue: "m"), serverID: ServerMessageID(rawValue: "s/1")),
      id: LocalMessageID(rawValue: 7),
      kind: "text", payload: Data("{}".utf8), revision: 2)
    let stored = try String(decoding: StoredJSON.encode(quote), as: UTF8.self)
    let keys = ["\"id\"", "\"kind\"", "\"message\"", "\"payload\"", "\"revision\""]
    let places = try keys.map { try #require(stored.range(of: $0)?.lowerBound) }
    #expect(places == places.sorted(), "\(stored)")
  }
}
