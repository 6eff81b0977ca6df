#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Opens WebSockets.
public enum WebSocket {
  /// Opens a WebSocket to a `ws:` or `wss:` URL and returns when the other side has agreed.
  ///
  /// - Parameters:
  ///   - headers: extra header fields of the upgrade request, for example `Authorization`.
  /// - Throws: `CancellationError`; ``SocketError`` `.invalidArgument`, `.cannotConnect`, `.refused` (the
  ///   message holds the status), `.timedOut`.
  public static func connect(
    to url: URL, headers: HTTPHeaders = [], options: WebSocketOptions = .init()
  ) async throws -> any WebSocketConnection {
    try await open(url, headers: headers, options: options)
  }
}

/// Limits of one WebSocket on the side that opens it.
public struct WebSocketOptions: Sendable {
  /// In bytes; a longer message closes the connection with ``WebSocketCloseCode/messageTooBig``.
  public var maximumMessageSize = 1 << 20
  /// From looking up the name to the answer to the upgrade.
  public var connectTimeout: Duration = .seconds(20)
  /// How long the other side may take nothing while something is queued, before the connection is dropped.
  public var sendTimeout: Duration = .seconds(30)
  /// How long nothing at all may come in; half of it goes by before a ping asks.
  public var idleTimeout: Duration = .seconds(120)

  /// The values above.
  public init() {}
}
