/// An open WebSocket of a client or a server.
///
/// 1. Messages are received whole, in order, and once.
/// 2. Receiving applies back pressure: unread messages stop the other side.
/// 3. Sending applies back pressure: a sender waits while the send queue is full.
/// 4. Every wait ends when the connection closes. A wait in `receive`, `send` or `ping` also ends when its
///    task is cancelled.
public protocol WebSocketConnection: Sendable {
  /// Returns the next message; `nil` once the connection is closed and all received messages have been
  /// returned.
  ///
  /// Only one task may receive at a time.
  /// - Throws: `CancellationError`; ``SocketError`` `.alreadyReading`.
  func receive() async throws -> WebSocketMessage?

  /// Queues a message, after waiting for room in the send queue.
  ///
  /// May return before the other side has the message. If the task is cancelled while waiting for room, the
  /// message is not sent.
  /// - Throws: `CancellationError`; ``SocketError`` `.closed`.
  func send(_ message: WebSocketMessage) async throws

  /// Sends a ping and waits for the pong.
  ///
  /// - Throws: `CancellationError`; ``SocketError`` `.closed`.
  func ping() async throws

  /// Sends the queued messages and a close frame, and waits for the connection to end.
  ///
  /// If the connection is closed already, ``closing`` stays unchanged. A code that must not be sent becomes
  /// ``WebSocketCloseCode/normal``, and a reason is truncated to 123 bytes.
  func close(code: WebSocketCloseCode, reason: String) async

  /// The code and the reason of the closing; nil while the connection is open.
  var closing: WebSocketClosing? { get }
}

extension WebSocketConnection {
  /// Closes with ``WebSocketCloseCode/normal``.
  public func close() async {
    await close(code: .normal, reason: "")
  }
}
