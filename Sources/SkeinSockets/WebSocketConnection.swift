/// One open WebSocket, whichever side opened it.
///
/// 1. Messages come out whole, in the order they were sent, each once.
/// 2. Not reading stops the other side: no more than the inbox holds is taken from the network.
/// 3. Sending waits for the other side: no more than the send queue holds is kept in memory.
/// 4. Every wait ends when its task is cancelled, and when the connection closes.
public protocol WebSocketConnection: Sendable {
  /// The next message; `nil` once the connection is closed and everything before that was handed out.
  ///
  /// One task reads at a time.
  /// - Throws: `CancellationError`; ``SocketError`` `.alreadyReading`.
  func receive() async throws -> WebSocketMessage?

  /// Queues a message, after waiting until the send queue is below its mark.
  ///
  /// It returns before the other side has the message. A cancelled send that was still waiting sends nothing.
  /// - Throws: `CancellationError`; ``SocketError`` `.closed`.
  func send(_ message: WebSocketMessage) async throws

  /// Asks the other side for a sign of life and returns when it has come.
  ///
  /// - Throws: `CancellationError`; ``SocketError`` `.closed`.
  func ping() async throws

  /// Sends what is queued and a close frame, and returns when the connection has ended.
  ///
  /// A connection that is closed already keeps its code and reason. A code that may not be sent, and a reason
  /// beyond 123 bytes, are replaced by the nearest that may.
  func close(code: WebSocketCloseCode, reason: String) async

  /// Code and reason, once the connection is closed.
  var closing: WebSocketClosing? { get }
}

extension WebSocketConnection {
  /// Closes with ``WebSocketCloseCode/normal``.
  public func close() async {
    await close(code: .normal, reason: "")
  }
}
