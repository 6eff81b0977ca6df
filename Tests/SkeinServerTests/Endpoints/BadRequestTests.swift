import SkeinServer
import SkeinWire
import Synchronization
import Testing

struct BadRequestTests {
  @Test(
    "A body that is not the JSON that the endpoint expects is refused",
    arguments: [
      "", "{", "null", "[]", "1", "\"x\"", "{\"user\":1}", "{\"position\":1.5}", "{\"position\":1e300}",
      "{\"position\":9223372036854775808}", "{\"kind\":\"secret\"}", "{\"kind\":\"direct\"}",
      "{\"kind\":\"group\",\"id\":1,\"title\":null,\"members\":{}}", "\u{0}", "{\"user\":\"\\ud800\"}",
    ])
  func body(_ text: String) async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann")
      let id = try await ann.group("g").id
      for path in [
        "accounts", "sessions", "conversations", "conversations/\(id)/messages", "conversations/\(id)/read",
      ] {
        try await ann.send("POST", path, body: Array(text.utf8)).expect(400, .badJSON)
      }
    }
  }

  @Test("Deep nesting and invalid UTF-8 are refused, and the server goes on")
  func hostile() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann")
      let deep = String(repeating: "[", count: 400_000)
      let objects = String(repeating: "{\"a\":", count: 150_000)
      for body in [
        Array(deep.utf8), Array(objects.utf8), [0xFF, 0xFE, 0x00], [0xC0, 0x80],
        [UInt8](repeating: 0xFF, count: 9),
      ] {
        try await ann.send("POST", "conversations", body: body).expect(400, .badJSON)
      }
      try await ann.get("me").expect(200)
    }
  }

  @Test("A body that is too large, or of another type than JSON, is refused")
  func sizeAndType() async throws {
    try await TestServer.run({ $0.limits.body = 1000 }) { server in
      let ann = try await server.user("ann")
      let body = [UInt8](repeating: UInt8(ascii: " "), count: 1001)
      try await ann.send("POST", "conversations", body: body).expect(413, .tooLarge)
      for type in ["text/plain", "application/x-www-form-urlencoded", "application/jsonp"] {
        try await ann.send("POST", "conversations", type: type, body: Array("{}".utf8)).expect(
          415, .unsupportedType)
      }
      let good = try Wire.encode(Wire.ConversationRequest.group(id: "g", title: "T", members: []))
      try await ann.send("POST", "conversations", type: "Application/JSON; charset=utf-8", body: good).expect(
        201)
    }
  }

  @Test("An unknown path is answered with 404, and a method that the path does not accept with 405")
  func routes() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann")
      for path in ["", "nothing", "me/x", "conversations/x/y/z", "conversations/zzz", "conversations/%00"] {
        try await ann.get(path).expect(404, .notFound)
      }
      let answer = try await ann.send("DELETE", "conversations/0000000000000000/messages")
      try answer.expect(405, .methodNotAllowed)
      #expect(answer.header("Allow") == "POST, GET")
      try await ann.get("sessions").expect(405, .methodNotAllowed)
    }
  }

  @Test("The log has one line per request, with the pattern of its path, but without ids, content and tokens")
  func log() async throws {
    let lines = Lines()
    try await TestServer.run({ $0.log = { lines.add($0.description) } }) { server in
      let ann = try await server.user("ann")
      let id = try await ann.group("g").id
      try await ann.message("m", "{\"text\":\"canary\"}", to: id).expect(201)
      try await ann.get("nothing/canary").expect(404)
      let all = lines.all
      #expect(all.count == 5)
      #expect(all[3].hasPrefix("POST /v1/conversations/{}/messages 201 "))
      #expect(!all.joined().contains("canary"))
      #expect(!all.joined().contains(try #require(ann.token)))
      #expect(!all.joined().contains(id.rawValue))
    }
  }
}

/// The lines of a log.
private final class Lines: Sendable {
  private let lines = Mutex<[String]>([])

  var all: [String] { lines.withLock { $0 } }

  func add(_ line: String) { lines.withLock { $0.append(line) } }
}
