import SkeinModel
import SkeinSockets

/// Asks the other side of a connection for a sign of life, again and again.
///
/// A connection may be dead without either side having been told: only an answer shows that it is not.
struct Heartbeat: Sendable {
  /// How often it asks.
  let interval: Duration
  /// How long the answer may take.
  let patience: Duration
  let options: HTTPOptions

  init(_ options: HTTPOptions) {
    interval = options.pingInterval
    patience = options.pongTimeout
    self.options = options
  }

  /// Goes on until an answer is missing, the connection closes, or the task is cancelled, and throws which.
  func watch(_ socket: any WebSocketConnection) async throws {
    let silence = BackendError(.unreachable, "The server has gone silent.")
    while true {
      try await options.sleep(interval)
      try await options.within(patience, orThrow: silence) { try await socket.ping() }
    }
  }
}
