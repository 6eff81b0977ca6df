import Foundation
import SkeinSockets
import Testing

@Suite("A WebSocket")
struct WebSocketTests {
  @Test("A message comes back from an echo")
  func echo() async throws {
    try await withServer(.echo) { server in
      let socket = try await WebSocket.connect(to: server.url("/echo"))
      try await socket.send(WebSocketMessage(text: "火锅"))
      #expect(try await socket.receive() == WebSocketMessage(text: "火锅"))
      try await socket.ping()
      await socket.close(code: 3000, reason: "done")
      #expect(socket.closing == WebSocketClosing(code: 3000, reason: "done"))
    }
  }
}

extension SocketServer {
  func url(_ path: String) throws -> URL {
    try #require(URL(string: "ws://127.0.0.1:\(port)\(path)"))
  }
}
