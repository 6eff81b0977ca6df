#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Opens WebSocket connections.
public enum WebSocket {
  /// Opens a WebSocket to a `ws:` or `wss:` URL; returns when the WebSocket is established.
  ///
  /// - Parameters:
  ///   - headers: additional header fields of the upgrade request, for example `Authorization`.
  /// - Throws: `CancellationError`; ``SocketError`` `.invalidArgument`, `.cannotConnect`, `.refused` (the
  ///   message holds the status), `.timedOut`; on Linux also `.cannotListen` if the thread of the connections
  ///   can't be started.
  public static func connect(
    to url: URL, headers: HTTPHeaders = [], options: WebSocketOptions = .init()
  ) async throws -> any WebSocketConnection {
    try await open(url, headers: headers, options: options)
  }
}

/// Limits of a client's WebSocket.
public struct WebSocketOptions: Sendable {
  /// In bytes; a longer message closes the connection with ``WebSocketCloseCode/messageTooBig``.
  public var maximumMessageSize = 1 << 20
  /// The time limit for connecting and for the response to the upgrade. On Linux, the limit applies to each
  /// address of the host, and the time to resolve the name does not count.
  public var connectTimeout: Duration = .seconds(20)
  /// If the other side receives nothing for this time while data is queued, the connection is closed. Linux
  /// only.
  public var sendTimeout: Duration = .seconds(30)
  /// If nothing is received for this time, the connection is closed; a ping is sent after half of this time.
  /// Linux only.
  public var idleTimeout: Duration = .seconds(120)

  /// Makes options with the values above.
  public init() {}
}
