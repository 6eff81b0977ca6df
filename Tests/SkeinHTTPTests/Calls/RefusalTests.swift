import Foundation
import Skein
import SkeinHTTP
import SkeinSockets
import Testing

@Suite("Errors that the server's answers cause")
struct RefusalTests {
  private func error(for response: HTTPResponse) async throws -> BackendError {
    var found: BackendError?
    try await ScriptedServer.run(answering: { _ in response }) { backend in
      found = await backendError { _ = try await backend.send(.example) }
    }
    return try #require(found)
  }

  @Test(
    "The status and the code of a refusal determine the error's code and whether the outcome is unknown",
    arguments: [
      (400, "badRequest", BackendError.Code.permanent, false), (401, "unauthorized", .unauthorized, false),
      (403, "forbidden", .permanent, false), (404, "notFound", .permanent, false),
      (408, "timeout", .transient, true), (409, "other", .permanent, false),
      (413, "tooLarge", .permanent, false),
      (425, "tooEarly", .transient, false), (429, "rateLimited", .rateLimited, false),
      (500, "serverFailed", .transient, true), (503, "unavailable", .transient, true),
      (507, "storageFull", .transient, true), (400, "badCursor", .cursorRejected, false),
    ])
  func codes(status: Int, code: String, expected: BackendError.Code, outcomeIsUnknown: Bool) async throws {
    let error = try await error(for: .failure(status, code))
    #expect(error.code == expected)
    #expect(error.outcomeIsUnknown == outcomeIsUnknown)
    #expect(error.message == "A sentence.")
  }

  @Test(
    "A refusal from a proxy is a transient failure",
    arguments: [400, 401, 403, 404, 407, 409, 413, 451])
  func foreignRefusal(status: Int) async throws {
    let page = "<html><body>You shall not pass</body></html>"
    let error = try await error(for: .json(page, status: status))
    #expect(error.code == .transient)
    #expect(error.outcomeIsUnknown)
    #expect(!error.message.contains("pass"))
  }

  @Test("The server's Retry-After is passed on", arguments: [429, 500, 503])
  func retryAfter(status: Int) async throws {
    let error = try await error(for: .failure(status, "any", headers: ["Retry-After": "7"]))
    #expect(error.retryAfter == .seconds(7))
  }

  @Test("The error for a message id that is already in use contains the stored message")
  func idInUse() async throws {
    let json = """
      {"error":{"code":"idInUse","message":"Taken."},"message":{"id":"m1","serverID":"s1","conversation":"c1",
      "position":4,"sender":"alice","time":5,"kind":"text","content":"{\\"text\\":\\"first\\"}"}}
      """
    let error = try await error(for: .json(json, status: 409))
    #expect(error.code == .idInUse)
    let stored = try #require(error.stored)
    #expect(stored.position == Position(rawValue: 4))
    #expect(stored.payload == Data(#"{"text":"first"}"#.utf8))
  }

  @Test(
    "An answer that does not conform to the protocol is a transient failure",
    arguments: [
      "<html><body>Sign in to the airport's network</body></html>", "", "{", "null", "[]", "{}", "\u{0}\u{1}",
      #"{"id":1,"serverID":2,"position":"three","time":null}"#, String(repeating: "[", count: 100_000),
    ])
  func garbage(body: String) async throws {
    let error = try await error(for: .json(body))
    #expect(error.code == .transient)
    #expect(error.outcomeIsUnknown)
  }

  @Test(
    "A page whose positions are not consecutive or start below 1 is a transient failure",
    arguments: ["2,1", "1,3", "0,1", "-9223372036854775808", "9223372036854775807,1"])
  func contradiction(positions: String) async throws {
    let messages = positions.split(separator: ",").map {
      #"{"id":"m\#($0)","serverID":"s","conversation":"c","position":\#($0),"sender":"a","time":0,"kind":"k","content":"{}"}"#
    }.joined(separator: ",")
    let page = #"{"messages":[\#(messages)],"reachesStart":true,"reachesEnd":true}"#
    try await ScriptedServer.run(answering: { _ in .json(page) }) { backend in
      let error = await backendError {
        _ = try await backend.history(of: ConversationRef(rawValue: "c"), at: .newest, limit: 9)
      }
      #expect(error?.code == .transient)
    }
  }

  @Test("A redirect is not followed, so that the token is sent nowhere else")
  func redirection() async throws {
    try await ScriptedServer.run(answering: { request in
      request.path == "/elsewhere"
        ? .json(#"{"id":"m1","serverID":"s1","position":1,"time":1}"#)
        : HTTPResponse(status: 302, headers: ["Location": "/elsewhere"])
    }) { backend in
      let error = await backendError { _ = try await backend.send(.example) }
      #expect(error?.code == .transient)
    }
  }

  @Test("Special characters in a conversation's reference can't alter the path of a request")
  func escaping() async throws {
    try await ScriptedServer.run(answering: { request in
      request.path == "/v1/conversations/a b?c%é/read"
        ? .json(#"{"readPosition":1}"#) : .failure(404, "notFound")
    }) { backend in
      let mark = MessageMark(position: Position(rawValue: 1))
      try await backend.markRead(ConversationRef(rawValue: "a b?c%é"), upTo: mark, in: nil)
    }
  }

  @Test("No description of an error or a backend contains the token or the message")
  func secrets() async throws {
    let error = try await error(for: .failure(500, "serverFailed"))
    let backend = try HTTPBackend.local(port: 1)
    for text in ["\(error)", String(reflecting: error), "\(backend)", String(reflecting: backend)] {
      #expect(!text.contains("tell-nobody") && !text.contains("between us"))
    }
  }
}
