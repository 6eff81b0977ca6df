import SkeinWire
import Testing

@testable import SkeinServer

struct RouteTests {
  @Test("A route pattern extracts the values from paths of its form, and matches no other path")
  func parameters() throws {
    let route = try #require(Route.all.first { $0.pattern == "/v1/conversations/{}/read" })
    #expect(route.parameters(of: "/v1/conversations/c1/read") == ["c1"])
    for path in ["/v1/conversations//read", "/v1/conversations/c1", "/v1/conversations/c1/read/", "", "/"] {
      #expect(route.parameters(of: path) == nil)
    }
  }

  @Test("No two routes have the same method and path")
  func distinct() {
    let names = Route.all.map { "\($0.method) \($0.pattern)" }
    #expect(Set(names).count == names.count)
  }

  @Test(
    "A conversation's id survives the round trip through its wire form", arguments: [0, 1, 255, Int64.max])
  func conversation(_ number: Int64) {
    let id = ConversationID(rawValue: number)
    #expect(id.wire.rawValue.utf8.count == 16)
    #expect(ConversationID(id.wire) == id)
  }

  @Test(
    "Text that is not a conversation's id is refused",
    arguments: [
      "", "1", "ffffffffffffffff", "0000000000000G00", "000000000000000A", "-000000000000001", "００００",
    ])
  func notConversation(_ text: String) { #expect(ConversationID(Wire.ConversationID(rawValue: text)) == nil) }

  @Test("A media type is two names with optional parameters")
  func mediaType() {
    for type in ["image/jpeg", "text/plain; charset=utf-8", "application/vnd.a+json"] {
      #expect(MediaType.isValid(type))
    }
    for type in [
      "", "image", "image/", "/jpeg", "a/b/c", "a b/c", "a/b\r\nX: y", "é/b",
      "a/" + String(repeating: "b", count: 255),
    ] {
      #expect(!MediaType.isValid(type))
    }
  }

  @Test("Every complete media id in a text is found, and a repeated id is returned once")
  func mentions() {
    let one = String(repeating: "0a", count: 32), two = String(repeating: "f1", count: 32)
    let text =
      "{\"a\":\"\(one)\",\"b\":[\"\(two)\",\"\(one)\"],\"c\":\"\(one)0\",\"d\":\"\(one.dropLast())\"}"
    #expect(Wire.MediaID.found(in: Array(text.utf8)).map(\.rawValue) == [one, two])
  }
}
