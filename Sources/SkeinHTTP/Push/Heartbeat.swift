import SkeinModel
import SkeinSockets

/// Pings the other side of a connection at regular intervals.
///
/// A connection can break unnoticed. Only a pong shows that the connection still works.
struct Heartbeat: Sendable {
  /// The time between pings.
  let interval: Duration
  /// The longest time to wait for a pong.
  let patience: Duration
  let options: HTTPOptions

  init(_ options: HTTPOptions) {
    interval = options.pingInterval
    patience = options.pongTimeout
    self.options = options
  }

  /// Pings until a pong is missing, the connection closes, or the task is cancelled; then throws the reason.
  func watch(_ socket: any WebSocketConnection) async throws {
    let silence = BackendError(.unreachable, "The server has stopped responding.")
    while true {
      try await options.sleep(interval)
      try await options.within(patience, orThrow: silence) { try await socket.ping() }
    }
  }
}
