import Foundation
import SkeinModel
import SkeinTransport
import Testing

@testable import SkeinMatrix

@Suite("Refusals and damaged answers")
struct RefusalTests {
  private func backend(_ transport: any HTTPTransport) -> MatrixBackend {
    MatrixBackend(.alice, options: MatrixOptions(), transport: transport, polling: transport)
  }

  @Test(
    "Each refusal has the matching code",
    arguments: [
      (403, "M_FORBIDDEN", .permanent), (404, "M_NOT_FOUND", .permanent), (413, "M_TOO_LARGE", .permanent),
      (401, "M_UNKNOWN_TOKEN", .unauthorized), (429, "M_LIMIT_EXCEEDED", .rateLimited),
      (500, "M_UNKNOWN", .transient), (400, "M_BAD_JSON", .permanent),
      (401, "M_USER_LOCKED", .rateLimited), (408, "M_UNKNOWN", .transient),
    ] as [(Int, String, BackendError.Code)])
  func codes(_ status: Int, _ code: String, _ expected: BackendError.Code) {
    let error = BackendError(MatrixRefusal(call: "GET v3/sync", status: status, code: code))
    #expect(error.code == expected)
    #expect(error.outcomeIsUnknown == (expected == .transient))
  }

  @Test("The requested pause is obeyed, and a malformed one is ignored")
  func pause() async {
    for (body, expected) in [
      (#"{"errcode":"M_LIMIT_EXCEEDED","retry_after_ms":1500}"#, Duration.seconds(1.5)),
      (#"{"errcode":"M_LIMIT_EXCEEDED","retry_after_ms":-1}"#, nil),
      (#"{"errcode":"M_LIMIT_EXCEEDED","retry_after_ms":1e300}"#, .seconds(86_400)),
    ] {
      let error = await #expect(throws: BackendError.self) {
        try await backend(ScriptedTransport(429, body)).sync(since: nil, limit: 1)
      }
      #expect((error?.code, error?.retryAfter) == (.rateLimited, expected))
    }
  }

  @Test(
    "An answer that is not from a homeserver is a temporary failure",
    arguments: ["", "<html>", "[]", "{}", #"{"next_batch":7}"#, #"{"next_batch":"s","rooms":7}"#])
  func damage(_ body: String) async {
    let error = await #expect(throws: BackendError.self) {
      try await backend(ScriptedTransport(200, body)).sync(since: nil, limit: 1)
    }
    #expect(error?.code == .transient)
  }

  @Test("The explanation of the homeserver is part of the error, as one short line")
  func explanation() async {
    let body =
      #"{"errcode":"M_FORBIDDEN","error":"You were\n\u001b[1mbanned: \#(String(repeating: "a", count: 900))"}"#
    let error = await #expect(throws: BackendError.self) {
      try await backend(ScriptedTransport(403, body)).sync(since: nil, limit: 1)
    }
    #expect(error?.message.contains("The homeserver says: You were [1mbanned: aaa") == true)
    #expect(error?.message.count ?? 0 < 300)
    #expect(error?.refusal?.call == "GET v3/sync")
  }

  @Test("No error contains the token of the session")
  func secrets() async {
    for body in [
      #"{"errcode":"M_FORBIDDEN","error":"No secret token"}"#, "secret token", #"{"secret token":7}"#,
    ] {
      for status in [200, 403] {
        let error = await #expect(throws: BackendError.self) {
          try await backend(ScriptedTransport(status, body)).sync(since: nil, limit: 1)
        }
        #expect(error.map { "\($0) \(String(describing: $0.cause))".contains("secret") } == false)
      }
    }
    #expect("\(MatrixSession.alice)".contains("secret") == false)
  }

  @Test("A proxy that takes no file of this size refuses the file permanently", arguments: [413, 414])
  func tooLarge(status: Int) async {
    let error = await #expect(throws: BackendError.self) {
      try await backend(ScriptedTransport(status, "<html>")).sync(since: nil, limit: 1)
    }
    #expect(error?.code == .permanent && error?.outcomeIsUnknown == false)
  }

  @Test("An unknown cursor is rejected")
  func cursor() async {
    let transport = ScriptedTransport(400, #"{"errcode":"M_UNKNOWN"}"#)
    let error = await #expect(throws: BackendError.self) {
      try await backend(transport).sync(since: SyncCursor(rawValue: "x"), limit: 1)
    }
    #expect(error?.code == .cursorRejected)
  }
}
