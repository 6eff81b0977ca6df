import Foundation
import Skein
import SkeinSockets
import Testing

@testable import SkeinCommand

@Suite("The option --matrix")
struct MatrixOptionTests {
  /// A Matrix homeserver that knows only its versions.
  private struct Homeserver: SocketServerHandler {
    func respond(to request: HTTPRequest) async -> HTTPResponse {
      guard request.path == "/_matrix/client/versions" else {
        return HTTPResponse(status: 404, content: .bytes(Array(#"{"errcode":"M_UNRECOGNIZED"}"#.utf8)))
      }
      return HTTPResponse(status: 200, content: .bytes(Array(#"{"versions":["v1.11"]}"#.utf8)))
    }

    func serve(_ socket: any WebSocketConnection, opening request: HTTPRequest) async {}
  }

  @Test("A sign-in without --matrix at a Matrix homeserver is refused with a hint")
  func hint() async throws {
    let server = try await SocketServer.start(handler: Homeserver())
    let url = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
    let folder = FileManager.default.temporaryDirectory.appending(path: "skein-\(UUID().uuidString)")
    let error = await #expect(throws: UsageError.self) {
      try await Account(server: url, user: "alice", folder: folder).session(
        password: "pw", registering: false)
    }
    #expect(error?.description.contains("add --matrix") == true)
    await server.stop()
  }

  @Test("A homeserver has no WebSocket for messages")
  func socket() async throws {
    let words = ["--server", "http://127.0.0.1:1", "--user", "alice", "--matrix", "--socket"]
    let error = await #expect(throws: UsageError.self) {
      try await ChatCommand.usage.run(Arguments(words, of: ChatCommand.usage))
    }
    #expect(error?.description.contains("omit --socket or --matrix") == true)
  }
}
