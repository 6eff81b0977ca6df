import SkeinModel

/// How a backend sends, its deadlines, and its limits.
public struct HTTPOptions: Sendable {
  /// A channel for sending messages.
  public enum Sending: Sendable, Hashable {
    /// One HTTP request for each message.
    case http
    /// One frame for each message on the push channel's socket; an HTTP request if the socket is down or the server does not
    /// accept such frames.
    case socket
  }

  /// The channel for sending messages.
  public var sending: Sending = .http
  /// The deadline of the ACK of a message sent over the socket.
  public var acknowledgementTimeout: Duration = .seconds(20)
  /// The longest time that a call may go without a byte in either direction.
  public var idleTimeout: Duration = .seconds(30)
  /// The deadline of a call; uploads and downloads have only the idle timeout.
  public var deadline: Duration = .seconds(60)
  /// The deadline for opening the push channel, up to the server's hello.
  public var connectTimeout: Duration = .seconds(20)
  /// The time between pings on the push channel.
  public var pingInterval: Duration = .seconds(20)
  /// The deadline of the server's pong.
  public var pongTimeout: Duration = .seconds(10)
  /// The longest answer in bytes, except for downloads.
  public var maximumAnswerSize = 32 << 20
  /// The number of bytes that an upload sends in one call, at least 1. A lost connection costs at most this
  /// many.
  public var uploadChunkSize = 1 << 20
  /// Suspends for a while; throws `CancellationError` when its task is cancelled.
  public var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

  /// The defaults.
  public init() {}

  /// The deadline of sending a message, including an HTTP request after a missing ACK.
  var sendDeadline: Duration { sending == .socket ? acknowledgementTimeout + deadline : deadline }

  /// Runs work, and cancels it and throws `error` if it takes longer than `limit`.
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
