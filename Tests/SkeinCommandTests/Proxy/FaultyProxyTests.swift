import Foundation
import Testing

@testable import SkeinCommand

@Suite("The proxy simulates a bad network")
struct FaultyProxyTests {
  @Test("With delays but no cuts, every byte passes both ways and is counted")
  func passes() async throws {
    try await Self.withEcho { port in
      let proxy = try FaultyProxy(to: "127.0.0.1", port, faults: .init(longestDelay: 2))
      defer { proxy.stop() }
      let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
      let echo = try await Self.offPool { try Self.exchange(bytes, with: proxy.port) }
      #expect(echo == bytes)
      let carried = proxy.carried
      #expect(carried.toServer == bytes.count && carried.back == bytes.count)
    }
  }

  @Test("While the proxy is down, existing and new connections are cut; afterwards it forwards bytes again")
  func down() async throws {
    try await Self.withEcho { port in
      let proxy = try FaultyProxy(to: "127.0.0.1", port)
      defer { proxy.stop() }
      let answers = try await Self.offPool {
        let standing = try #require(StreamSocket.connect("127.0.0.1", proxy.port))
        defer { StreamSocket.close(standing) }
        try #require(StreamSocket.write([1], to: standing))
        let before = LineReader.read(standing)
        proxy.set(.init(isDown: true))
        let cut = LineReader.read(standing)
        let refused = try Self.exchange([2], with: proxy.port)
        proxy.set(.init())
        return [before, cut, refused, try Self.exchange([3], with: proxy.port)]
      }
      #expect(answers == [[1], [], [], [3]])
    }
  }

  @Test("When the proxy cuts a connection, the connection ends without an answer")
  func cuts() async throws {
    try await Self.withEcho { port in
      let proxy = try FaultyProxy(to: "127.0.0.1", port, faults: .init(cutPercent: 100))
      defer { proxy.stop() }
      let echo = try await Self.offPool { try Self.exchange([1, 2, 3], with: proxy.port) }
      #expect(echo == [])
    }
  }

  @Test("A proxy without a server ends the connections made to it")
  func noServer() async throws {
    let (listener, port) = try StreamSocket.listen(0)
    StreamSocket.close(listener)
    let proxy = try FaultyProxy(to: "127.0.0.1", port)
    defer { proxy.stop() }
    let echo = try await Self.offPool { try Self.exchange([1], with: proxy.port) }
    #expect(echo == [])
  }

  /// Sends bytes and receives as many, or fewer if the connection ends.
  private static func exchange(_ bytes: [UInt8], with port: Int) throws -> [UInt8] {
    let socket = try #require(StreamSocket.connect("127.0.0.1", port))
    defer { StreamSocket.close(socket) }
    var echo: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 4096) {
      guard StreamSocket.write(Array(bytes[start..<min(start + 4096, bytes.count)]), to: socket) else {
        break
      }
      while echo.count < min(start + 4096, bytes.count) {
        let piece = LineReader.read(socket)
        if piece.isEmpty { return echo }
        echo += piece
      }
    }
    return echo
  }

  /// Runs `body` with the port of a server that returns the bytes it receives.
  private static func withEcho(_ body: (Int) async throws -> Void) async throws {
    let (listener, port) = try StreamSocket.listen(0)
    Thread.detachNewThread {
      while let client = StreamSocket.accept(listener) {
        Thread.detachNewThread {
          while true {
            let piece = LineReader.read(client)
            guard !piece.isEmpty, StreamSocket.write(piece, to: client) else { break }
          }
          StreamSocket.close(client)
        }
      }
      StreamSocket.close(listener)
    }
    defer { StreamSocket.cut(listener) }
    try await body(port)
  }

  /// Runs blocking calls on a thread of their own, since the concurrency pool has few threads.
  private static func offPool<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
    }
  }
}
