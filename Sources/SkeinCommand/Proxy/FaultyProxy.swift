import Foundation
import Synchronization

/// A TCP proxy that cuts and delays connections.
final class FaultyProxy: Sendable {
  /// The faults of the network.
  struct Faults: Sendable, Equatable {
    /// The percentage of chunks at which the connection is cut. Each cut comes, at random, before or after
    /// the chunk is passed on.
    var cutPercent = 0
    /// The longest delay of a chunk in milliseconds. Each chunk is delayed by a random time up to this limit.
    var longestDelay = 0
    /// Whether nothing passes: present connections are cut, and new connections are cut as soon as they are
    /// made.
    var isDown = false
  }

  private struct State {
    var faults: Faults
    var connections: [ProxyConnection] = []
    var carried = (toServer: 0, back: 0)
    var isStopped = false
  }

  /// The port that clients connect to, on the loopback interface.
  let port: Int
  private let listener: Int32
  private let state: Mutex<State>

  /// Starts listening; port 0 chooses a free port.
  ///
  /// - Throws: ``Failure`` if the proxy can't listen on the port.
  init(port: Int = 0, to host: String, _ target: Int, faults: Faults = Faults()) throws {
    (listener, self.port) = try StreamSocket.listen(port)
    state = Mutex(State(faults: faults))
    let listener = listener
    Thread.detachNewThread { [self] in
      while let client = StreamSocket.accept(listener) { open(client, host, target) }
    }
  }

  deinit { StreamSocket.close(listener) }

  /// Changes the faults, also for present connections.
  func set(_ faults: Faults) {
    let cut = state.withLock { state -> [ProxyConnection] in
      state.faults = faults
      return faults.isDown ? state.connections : []
    }
    for connection in cut { connection.cut() }
  }

  /// The number of bytes that have passed in each direction.
  var carried: (toServer: Int, back: Int) { state.withLock { $0.carried } }

  /// Ends every connection and stops listening.
  func stop() {
    let cut = state.withLock { state in
      state.isStopped = true
      return state.connections
    }
    StreamSocket.cut(listener)
    for connection in cut { connection.cut() }
  }

  private func open(_ client: Int32, _ host: String, _ target: Int) {
    let isClosed = state.withLock { $0.isStopped || $0.faults.isDown }
    guard !isClosed, let server = StreamSocket.connect(host, target) else {
      return StreamSocket.close(client)
    }
    let connection = ProxyConnection(client, server)
    // The proxy may have been stopped while this connection was made.
    let isLate = state.withLock { state in
      if !state.isStopped { state.connections.append(connection) }
      return state.isStopped
    }
    guard !isLate else {
      StreamSocket.close(client)
      return StreamSocket.close(server)
    }
    for (source, sink) in [(client, server), (server, client)] {
      Thread.detachNewThread { [self] in
        pump(source, sink) { state, count in
          if source == client { state.carried.toServer += count } else { state.carried.back += count }
        }
        if connection.ended() { state.withLock { $0.connections.removeAll { $0 === connection } } }
      }
    }
  }

  private func pump(_ source: Int32, _ sink: Int32, count: (inout State, Int) -> Void) {
    while true {
      let piece = LineReader.read(source)
      guard !piece.isEmpty else { return }
      let faults = state.withLock { $0.faults }
      if faults.isDown { return }
      if faults.longestDelay > 0 {
        Thread.sleep(forTimeInterval: Double.random(in: 0...Double(faults.longestDelay)) / 1000)
      }
      let isCut = Int.random(in: 0..<100) < faults.cutPercent
      if isCut, Bool.random() { return }
      // Count first, so that bytes that have arrived are always counted.
      state.withLock { count(&$0, piece.count) }
      guard StreamSocket.write(piece, to: sink), !isCut else { return }
    }
  }
}

/// The two sockets of one connection through the proxy. The sockets close when both directions have ended.
final class ProxyConnection: Sendable {
  private let sockets: (client: Int32, server: Int32)
  private let open = Mutex(2)

  init(_ client: Int32, _ server: Int32) { sockets = (client, server) }

  /// Ends both directions, which wakes their threads.
  func cut() {
    open.withLock { count in
      guard count > 0 else { return }
      StreamSocket.cut(sockets.client)
      StreamSocket.cut(sockets.server)
    }
  }

  /// Called once for each direction that has ended. The first call ends the other direction too. The second
  /// call closes the sockets and returns true.
  func ended() -> Bool {
    cut()
    return open.withLock { count in
      count -= 1
      guard count == 0 else { return false }
      StreamSocket.close(sockets.client)
      StreamSocket.close(sockets.server)
      return true
    }
  }
}
