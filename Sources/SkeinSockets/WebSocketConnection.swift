/// An open WebSocket of a client or a server.
///
/// 1. Messages are received whole, in order, and once.
/// 2. Receiving applies back pressure: unread messages stop the other side.
/// 3. Sending applies back pressure: it waits while the send queue is full.
/// 4. Every wait ends when its task is cancelled, and when the connection closes.
public protocol WebSocketConnection: Sendable {
  /// Returns the next message; `nil` once the connection is closed and all messages were received.
  ///
  /// Only one task may read at a time.
  /// - Throws: `CancellationError`; ``SocketError`` `.alreadyReading`.
  func receive() async throws -> WebSocketMessage?

  /// Queues a message, after waiting for room in the send queue.
  ///
  /// Returns before the other side has the message. If cancelled while waiting, nothing is sent.
  /// - Throws: `CancellationError`; ``SocketError`` `.closed`.
  func send(_ message: WebSocketMessage) async throws

  /// Sends a ping and waits for the pong.
  ///
  /// - Throws: `CancellationError`; ``SocketError`` `.closed`.
  func ping() async throws

  /// Sends the queued messages and a close frame, and waits for the connection to end.
  ///
  /// If the connection is closed already, its code and reason stay. A code that must not be sent becomes
  /// ``WebSocketCloseCode/normal``, and a reason is truncated to 123 bytes.
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
