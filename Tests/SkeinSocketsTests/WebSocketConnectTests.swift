import Foundation
import Glibc
import SkeinSockets
import Testing

@Suite("WebSocket connect")
struct WebSocketConnectTests {
  /// A server that answers each request with a given text, whatever the request is.
  private final class Answerer: Sendable {
    let port: Int
    private let descriptor: Int32

    init() throws {
      descriptor = socket(
        AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let listener = descriptor
      let result = withUnsafeMutableBytes(of: &address) { bytes in
        bytes.withMemoryRebound(to: sockaddr.self) { address in
          bind(listener, address.baseAddress, length) == 0 && listen(listener, 5) == 0
            && getsockname(listener, address.baseAddress, &length) == 0
        }
      }
      try #require(result)
      port = Int(in_port_t(bigEndian: address.sin_port))
    }

    deinit {
      close(descriptor)
    }

    /// Accepts one connection, answers its request and returns the request.
    func answer(_ text: String) async throws -> String {
      let connection = try await eventually("the client connects") {
        let connection = accept(descriptor, nil, nil)
        return connection >= 0 ? connection : nil
      }
      defer { close(connection) }
      var request: [UInt8] = []
      while request.firstRange(of: Array("\r\n\r\n".utf8)) == nil {
        request += try await eventually("the client asks") {
          var buffer = [UInt8](repeating: 0, count: 4096)
          let count = recv(connection, &buffer, buffer.count, Int32(MSG_DONTWAIT))
          return count >= 0 ? Array(buffer.prefix(count)) : nil
        }
      }
      _ = send(connection, text, text.utf8.count, Int32(MSG_NOSIGNAL))
      return String(decoding: request, as: UTF8.self)
    }
  }

  @Test("The request names the host with its port, has the additional header fields, and offers no extension")
  func request() async throws {
    let answerer = try Answerer()
    let url = try #require(URL(string: "ws://127.0.0.1:\(answerer.port)/a%20b?c=d"))
    let opening = Task {
      try await WebSocket.connect(to: url, headers: ["Authorization": "Bearer t", "X-Device": "phone"])
    }
    let request = try await answerer.answer("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n")
    #expect(request.hasPrefix("GET /a%20b?c=d HTTP/1.1\r\n"))
    for field in [
      "host: 127.0.0.1:\(answerer.port)\r\n", "authorization: bearer t\r\n", "x-device: phone\r\n",
    ] {
      #expect(request.lowercased().contains(field))
    }
    #expect(!request.lowercased().contains("extensions"))
    await #expect(throws: SocketError.self) { try await opening.value }
  }

  @Test("The error of a rejected upgrade names the status", arguments: [200, 301, 401, 403, 404, 500, 503])
  func refused(status: Int) async throws {
    let answerer = try Answerer()
    let url = try #require(URL(string: "ws://127.0.0.1:\(answerer.port)/"))
    let opening = Task { try await WebSocket.connect(to: url) }
    _ = try await answerer.answer(
      "HTTP/1.1 \(status) X\r\nLocation: ws://127.0.0.1:1/\r\nContent-Length: 3\r\n\r\nabc")
    let error = await #expect(throws: SocketError.self) { try await opening.value }
    #expect(error?.code == .refused)
    #expect(error?.message.contains("\(status)") == true)
  }

  @Test(
    "An invalid answer is an error",
    arguments: [
      "", "garbage\r\n\r\n", "HTTP/1.1 101 X\r\n\r\n",
      "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: wrong\r\n\r\n",
    ])
  func nonsense(answer: String) async throws {
    let answerer = try Answerer()
    let url = try #require(URL(string: "ws://127.0.0.1:\(answerer.port)/"))
    let opening = Task { try await WebSocket.connect(to: url) }
    _ = try await answerer.answer(answer)
    await #expect(throws: SocketError.self) { try await opening.value }
  }

  @Test("Connecting to a server that never answers times out")
  func timeout() async throws {
    let answerer = try Answerer()
    let url = try #require(URL(string: "ws://127.0.0.1:\(answerer.port)/"))
    var options = WebSocketOptions()
    options.connectTimeout = .milliseconds(300)
    let limits = options
    let error = await #expect(throws: SocketError.self) {
      try await WebSocket.connect(to: url, options: limits)
    }
    #expect(error?.code == .timedOut)
  }

  @Test("Opening can be cancelled")
  func cancellation() async throws {
    let answerer = try Answerer()
    let url = try #require(URL(string: "ws://127.0.0.1:\(answerer.port)/"))
    let opening = Task { try await WebSocket.connect(to: url) }
    await Task.yield()
    opening.cancel()
    await #expect(throws: CancellationError.self) { try await opening.value }
  }

  @Test("An invalid header field is an error")
  func headerInjection() async throws {
    let url = try #require(URL(string: "ws://127.0.0.1:1/"))
    let error = await #expect(throws: SocketError.self) {
      try await WebSocket.connect(to: url, headers: ["X-A": "b\r\nX-C: d"])
    }
    #expect(error?.code == .invalidArgument)
  }
}
