import SkeinModel

/// How a backend sends, how long it waits, and how much it takes.
public struct HTTPOptions: Sendable {
  /// The way that messages take to the server.
  public enum Sending: Sendable, Hashable {
    /// A request each.
    case http
    /// A frame each on the push channel's socket; a request where it is down, or the server takes no such frames.
    case socket
  }

  /// The way that messages take to the server.
  public var sending: Sending = .http
  /// How long the ACK of a message may take that went over the socket.
  public var acknowledgementTimeout: Duration = .seconds(20)
  /// How long a call may go on without a byte in either direction.
  public var idleTimeout: Duration = .seconds(30)
  /// How long a call may take in all; uploads and downloads have the idle timeout alone.
  public var deadline: Duration = .seconds(60)
  /// How long the push channel may take to open, up to the server's hello.
  public var connectTimeout: Duration = .seconds(20)
  /// How often the push channel asks the server for a sign of life.
  public var pingInterval: Duration = .seconds(20)
  /// How long the server may take to give one.
  public var pongTimeout: Duration = .seconds(10)
  /// The longest answer that is read, downloads apart; in bytes.
  public var maximumAnswerSize = 32 << 20
  /// How many bytes of an upload travel in one call; what a cut connection can cost. At least 1.
  public var uploadChunkSize = 1 << 20
  /// Suspends for a while; throws `CancellationError` when its task is cancelled.
  public var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

  /// The defaults.
  public init() {}

  /// How long sending a message may take in all: what the socket has not acknowledged goes by a request.
  var sendDeadline: Duration { sending == .socket ? acknowledgementTimeout + deadline : deadline }

  /// Does some work, and cancels it to throw `error` when it takes longer than `limit`.
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
