/// The body of a request as a stream of chunks.
///
/// Unread chunks apply back pressure to the client. Only one task at a time may read the body, and each chunk
/// is returned only once.
public struct HTTPBody: AsyncSequence, Sendable {
  /// A chunk, never empty.
  public typealias Element = [UInt8]
  /// See ``AsyncIterator/next()``.
  public typealias Failure = any Error

  /// Iterates over the remaining chunks.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let next: @Sendable () async throws -> [UInt8]?

    /// Returns the next chunk; `nil` when the body is complete.
    ///
    /// - Throws: `CancellationError`; ``SocketError`` `.closed` if the client disconnects before the end,
    ///   `.timedOut` if the client sends nothing for ``SocketServerOptions/idleTimeout``, `.alreadyReading`
    ///   if another task is reading.
    public mutating func next() async throws -> [UInt8]? {
      try await next()
    }
  }

  /// The length in bytes; nil if the length is unknown.
  public let length: Int?
  private let next: @Sendable () async throws -> [UInt8]?

  /// An empty body.
  public init() {
    self.init(length: 0) { nil }
  }

  init(length: Int?, next: @escaping @Sendable () async throws -> [UInt8]?) {
    self.length = length
    self.next = next
  }

  /// Makes an iterator. The iterator does not return chunks that another iterator has returned.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(next: next)
  }

  /// Reads and returns the rest of the body.
  ///
  /// - Throws: ``SocketError`` `.bodyTooLarge` if ``length`` or the length of the rest exceeds `maximum`, and
  ///   the errors of ``AsyncIterator/next()``.
  public func collect(upTo maximum: Int) async throws -> [UInt8] {
    if let length, length > maximum { throw Self.tooLarge(maximum) }
    var bytes: [UInt8] = []
    for try await chunk in self {
      if bytes.count + chunk.count > maximum { throw Self.tooLarge(maximum) }
      bytes += chunk
    }
    return bytes
  }

  private static func tooLarge(_ maximum: Int) -> SocketError {
    SocketError(.bodyTooLarge, "The body is longer than \(maximum) bytes.")
  }
}
