/// The body of a request, chunk by chunk as it comes in.
///
/// Not reading stops the client. One task reads, once.
public struct HTTPBody: AsyncSequence, Sendable {
  /// A chunk, never empty.
  public typealias Element = [UInt8]
  /// See ``AsyncIterator/next()``.
  public typealias Failure = any Error

  /// The chunks that are left.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let next: @Sendable () async throws -> [UInt8]?

    /// The next chunk; `nil` when the body is complete.
    ///
    /// - Throws: `CancellationError`; ``SocketError`` `.closed` when the client goes away before the end,
    ///   `.bodyTooLarge`, `.timedOut`, `.alreadyReading`.
    public mutating func next() async throws -> [UInt8]? {
      try await next()
    }
  }

  /// In bytes, where the request says.
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

  /// The one reader.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(next: next)
  }

  /// Reads the body to its end.
  ///
  /// - Throws: ``SocketError`` `.bodyTooLarge` beyond `maximum` bytes, and what reading throws.
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
