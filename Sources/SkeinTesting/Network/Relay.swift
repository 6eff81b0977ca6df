import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A TCP relay that cuts connections, loses or halves answers and delays bytes between a client and a server.
///
/// Give the client the relay's port in place of the server's port. Use one relay for each device:
///
/// ```swift
/// let relay = try Relay(toPort: server.port)
/// defer { relay.close() }
/// let backend = MyBackend(port: relay.port)
/// relay.loseNextAnswer(by: .cut)
/// ```
///
/// 1. The relay listens on the loopback interface of this machine, and changes no bytes that it forwards.
/// 2. The relay uses two threads for each connection, four if it delays bytes, and one more thread until the relay is
///    closed.
///
/// The relay uses the sockets of the C library, and is tested on Linux.
public final class Relay: Sendable {
  private struct Connection {
    let client: Int32
    let server: Int32
    var isWebSocket = false
    var fate: Fate?
    /// The number of directions that still forward bytes.
    var directions = 2
  }
  private struct State {
    var connections: [Int: Connection] = [:]
    var count = 0
    var nextFate: Fate?
    var isClosed = false
  }
  /// The fate of an answer that does not arrive as the server sent it.
  private enum Fate {
    case lost(AnswerLoss)
    case halved
  }

  /// The port that clients connect to.
  public let port: Int
  private let target: Int
  private let delay: Duration
  private let state = Mutex(State())

  /// Starts listening on a free port.
  ///
  /// - Parameters:
  ///   - target: the port of a server on this machine. The server need not run yet.
  ///   - delay: the time that all bytes take in each direction, as over a long link.
  /// - Throws: `POSIXError` if no socket can be opened.
  public init(toPort target: Int, delay: Duration = .zero) throws {
    let (listener, port) = try Socket.listen()
    self.port = port
    self.target = target
    self.delay = delay
    Thread.detachNewThread { [self] in
      while let client = Socket.accept(listener) {
        if state.withLock({ $0.isClosed }) {
          Socket.close(client)
          break
        }
        open(client)
      }
      Socket.close(listener)
    }
  }

  /// Lets the next request on any connection reach the server, and loses all further answers on the
  /// connection of this request. Any bytes from a client count as a request, such as a frame of a WebSocket.
  public func loseNextAnswer(by loss: AnswerLoss) { state.withLock { $0.nextFate = .lost(loss) } }

  /// Lets the next request on any connection reach the server, and ends the connection of this request within the
  /// answer: after half of the first bytes that arrive together.
  public func halveNextAnswer() { state.withLock { $0.nextFate = .halved } }

  /// Ends all connections; clients may connect again.
  public func cut() { cut { _ in true } }

  /// Ends the connections that have become WebSockets; other connections stay open.
  public func cutWebSockets() { cut(where: \.isWebSocket) }

  private func cut(where isCut: (Connection) -> Bool) {
    state.withLock { state in
      for connection in state.connections.values where isCut(connection) { Self.end(connection) }
    }
  }

  /// Ends all connections and stops listening.
  public func close() {
    let wasClosed = state.withLock { state in
      defer { state.isClosed = true }
      return state.isClosed
    }
    cut()
    // On every system, a new connection wakes the thread that accepts connections.
    if !wasClosed, let socket = Socket.connect(toPort: port) { Socket.close(socket) }
  }

  private func open(_ client: Int32) {
    guard let server = Socket.connect(toPort: target) else { return Socket.close(client) }
    let number = state.withLock { state -> Int? in
      guard !state.isClosed else { return nil }
      state.count += 1
      state.connections[state.count] = Connection(client: client, server: server)
      return state.count
    }
    guard let number else {
      Socket.close(client)
      return Socket.close(server)
    }
    for (source, sink, isRequest) in [(client, server, true), (server, client, false)] {
      Thread.detachNewThread { [self] in
        forward(source, sink, number, isRequest: isRequest)
        ended(number)
      }
    }
  }

  private func forward(_ source: Int32, _ sink: Int32, _ number: Int, isRequest: Bool) {
    let line = delay > .zero ? DelayLine(to: sink, delay) : nil
    defer { line?.end() }
    while case let piece = Socket.read(source), !piece.isEmpty {
      let fate = state.withLock { state -> Fate? in
        guard isRequest else { return state.connections[number]?.fate }
        let isUpgrade = String(decoding: piece, as: UTF8.self).lowercased().contains("sec-websocket-key")
        if isUpgrade { state.connections[number]?.isWebSocket = true }
        if let fate = state.nextFate {
          state.connections[number]?.fate = fate
          state.nextFate = nil
        }
        return nil
      }
      switch fate {
      case .lost(.cut)?: return
      case .lost(.silence)?: continue
      case .halved?:
        let half = Array(piece.prefix(piece.count / 2))
        if let line { line.add(half) } else { _ = Socket.write(half, to: sink) }
        return
      case nil:
        if let line { line.add(piece) } else if !Socket.write(piece, to: sink) { return }
      }
    }
  }

  /// Called when a direction has ended. Ends the other direction, and closes the connection once both
  /// directions have ended.
  private func ended(_ number: Int) {
    state.withLock { state in
      guard var connection = state.connections[number] else { return }
      Self.end(connection)
      connection.directions -= 1
      state.connections[number] = connection.directions > 0 ? connection : nil
      if connection.directions == 0 {
        Socket.close(connection.client)
        Socket.close(connection.server)
      }
    }
  }

  private static func end(_ connection: Connection) {
    Socket.end(connection.client)
    Socket.end(connection.server)
  }
}

/// Writes bytes to a socket some time after they were added.
private final class DelayLine: Sendable {
  private typealias Piece = (due: ContinuousClock.Instant, bytes: [UInt8])

  private let delay: Duration
  private let pieces = Mutex<[Piece]>([])
  private let added = DispatchSemaphore(value: 0)
  private let hasEnded = DispatchSemaphore(value: 0)

  init(to sink: Int32, _ delay: Duration) {
    self.delay = delay
    Thread.detachNewThread { [self] in
      while case let piece = next(), !piece.bytes.isEmpty {
        Thread.sleep(forTimeInterval: max((piece.due - .now) / .seconds(1), 0))
        if !Socket.write(piece.bytes, to: sink) { break }
      }
      hasEnded.signal()
    }
  }

  func add(_ bytes: [UInt8]) {
    pieces.withLock { $0.append((.now + delay, bytes)) }
    added.signal()
  }

  /// Returns once all bytes are written, or a write has failed.
  func end() {
    add([])
    hasEnded.wait()
  }

  private func next() -> Piece {
    added.wait()
    return pieces.withLock { $0.removeFirst() }
  }
}
