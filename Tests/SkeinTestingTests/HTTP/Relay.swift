import Foundation
import SkeinTesting
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// One device's way to a server of this machine, which can lose what comes back.
final class Relay: Sendable {
  private struct Connection {
    let client: Int32
    let server: Int32
    /// Whether it became a WebSocket.
    var isUpgraded = false
    var loss: AnswerLoss?
    var open = 2
  }
  private struct State {
    var connections: [Int: Connection] = [:]
    var count = 0
    var nextLoss: AnswerLoss?
    var isClosed = false
  }

  let port: Int
  private let listener: Int32
  private let state = Mutex(State())

  /// Starts listening.
  init(toPort target: Int) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = Self.address(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutableBytes(of: &address) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) { pointer in
        bind(listener, pointer.baseAddress, length) + listen(listener, 64)
          + getsockname(listener, pointer.baseAddress, &length)
      }
    }
    guard result == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    self.listener = listener
    port = Int(in_port_t(bigEndian: address.sin_port))
    Thread.detachNewThread { [self] in
      while case let client = accept(listener, nil, nil), client >= 0 { open(client, target) }
      close(listener)
    }
  }

  /// Lets the next request through, on whichever connection it comes, and loses what is answered there.
  func loseNextAnswer(by loss: AnswerLoss) { state.withLock { $0.nextLoss = loss } }

  /// Ends the WebSockets.
  func cutSockets() {
    state.withLock { state in
      for connection in state.connections.values where connection.isUpgraded { Self.cut(connection) }
    }
  }

  /// Ends everything.
  func end() {
    shutdown(listener, Int32(SHUT_RDWR))
    state.withLock { state in
      state.isClosed = true
      for connection in state.connections.values { Self.cut(connection) }
    }
  }

  private func open(_ client: Int32, _ target: Int) {
    let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = Self.address(target)
    let result = withUnsafeBytes(of: &address) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) {
        connect(server, $0.baseAddress, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    let number = state.withLock { state -> Int? in
      guard result == 0, !state.isClosed else { return nil }
      state.count += 1
      state.connections[state.count] = Connection(client: client, server: server)
      return state.count
    }
    guard let number else {
      close(client)
      close(server)
      return
    }
    // A head and its body come as two pieces; the second must not wait for the first to be acknowledged.
    for socket in [client, server] {
      var on: Int32 = 1
      setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }
    for (source, sink, isRequest) in [(client, server, true), (server, client, false)] {
      Thread.detachNewThread { [self] in
        pump(source, sink, number, isRequest: isRequest)
        ended(number)
      }
    }
  }

  private func pump(_ source: Int32, _ sink: Int32, _ number: Int, isRequest: Bool) {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while case let count = recv(source, &buffer, buffer.count, 0), count > 0 {
      let piece = buffer[..<count]
      let loss = state.withLock { state -> AnswerLoss? in
        if isRequest {
          let isOpening = piece.firstRange(of: Array("Sec-WebSocket-Key".utf8)) != nil
          if isOpening { state.connections[number]?.isUpgraded = true }
          if let loss = state.nextLoss {
            state.connections[number]?.loss = loss
            state.nextLoss = nil
          }
          return nil
        }
        return state.connections[number]?.loss
      }
      switch loss {
      case .cut?: return
      case .silence?: continue
      case nil: guard Self.write(piece, to: sink) else { return }
      }
    }
  }

  /// One direction has ended, and the other ends with it.
  private func ended(_ number: Int) {
    state.withLock { state in
      guard var connection = state.connections[number] else { return }
      Self.cut(connection)
      connection.open -= 1
      state.connections[number] = connection.open > 0 ? connection : nil
      if connection.open == 0 {
        close(connection.client)
        close(connection.server)
      }
    }
  }

  private static func cut(_ connection: Connection) {
    shutdown(connection.client, Int32(SHUT_RDWR))
    shutdown(connection.server, Int32(SHUT_RDWR))
  }

  private static func write(_ piece: ArraySlice<UInt8>, to sink: Int32) -> Bool {
    var rest = piece
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(sink, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private static func address(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    return address
  }
}
