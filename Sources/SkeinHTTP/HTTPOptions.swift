import SkeinModel
import SkeinTransport

/// The settings of a backend: how it sends, its deadlines and its limits.
public struct HTTPOptions: Sendable {
  /// A channel for sending messages.
  public enum Sending: Sendable, Hashable {
    /// One HTTP request for each message.
    case http
    /// One frame for each message on the push channel's socket. A message is sent by HTTP if the socket is
    /// not open or closes before the ACK, or if the server does not accept such frames.
    case socket
  }

  /// The channel for sending messages.
  public var sending: Sending = .http
  /// The deadline of the ACK of a message sent over the socket.
  public var acknowledgementTimeout: Duration = .seconds(20)
  /// The longest time for connecting, and the longest time for which a call may transfer no byte in either
  /// direction.
  public var idleTimeout: Duration = .seconds(30)
  /// The deadline of a call that changes something. A call that only reads has ten times as long, since its answer may be
  /// large and the network slow. Downloads, and the parts of an upload, have no deadline. The idle timeout applies to all.
  public var deadline: Duration = .seconds(60)
  /// The longest time for connecting the socket of the push channel; on Linux, for each address of the
  /// server. Once the socket is connected, also the longest time to wait for the server's hello.
  public var connectTimeout: Duration = .seconds(20)
  /// The time between pings on the push channel.
  public var pingInterval: Duration = .seconds(20)
  /// The deadline for the server's answer to a ping.
  public var pongTimeout: Duration = .seconds(10)
  /// The maximum length of an answer in bytes, except for downloads. With ``Sending/socket``, also the
  /// maximum length of a received frame.
  public var maximumAnswerSize = 32 << 20
  /// The number of bytes that an upload sends in one call, at least 1. After a lost connection, at most this number
  /// of bytes is sent again.
  public var uploadChunkSize = 1 << 20
  /// Suspends for a duration; throws `CancellationError` when the task is cancelled.
  public var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

  /// Creates options with the default values.
  public init() {}

  /// The longest time for sending a message. With the socket, this time includes the HTTP request that
  /// follows if the socket closes without an ACK.
  var sendDeadline: Duration { sending == .socket ? acknowledgementTimeout + deadline : deadline }

  /// The limits of the transport.
  var transport: TransportOptions {
    var options = TransportOptions()
    options.idleTimeout = idleTimeout
    options.maximumAnswerSize = maximumAnswerSize
    return options
  }

  /// Runs `work`; if `work` takes longer than `limit`, cancels `work`, waits for its end and throws `error`.
  func within<Value: Sendable>(
    _ limit: Duration, orThrow error: BackendError, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
      defer { group.cancelAll() }
      group.addTask { try await work() }
      group.addTask {
        try await sleep(limit)
        throw error
      }
      guard let first = try await group.next() else { throw error }
      return first
    }
  }
}
