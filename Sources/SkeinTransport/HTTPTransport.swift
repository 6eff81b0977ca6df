/// Sends HTTP requests for a backend, without cookies, cache or redirects.
///
/// Redirects are not followed, so that no captive portal can direct the token to another address. A wrapper
/// around another transport can count requests, or answer them in tests.
///
/// ```swift
/// let transport: any HTTPTransport = .system()
/// var request = TransportRequest("POST", url, body: .bytes(json))
/// request.headers = [("Content-Type", "application/json"), ("Authorization", "Bearer \(token)")]
/// let answer = try await transport.perform(request)
/// ```
public protocol HTTPTransport: Sendable {
  /// Sends one request and receives the complete answer, whatever its status is.
  ///
  /// If `sink` is not nil, the body of an answer with status 200 or 206 goes into `sink`, and
  /// ``TransportAnswer/body`` is empty. The caller finishes or abandons the sink.
  ///
  /// - Throws: `BackendError`, with `permanent` if the request can't be sent, `unreachable` if there is no
  ///   connection or the connection was lost, `transient` if the answer is late, damaged or too long; the
  ///   error of the file system if `sink` can't be written; `CancellationError` as soon as the task is
  ///   cancelled.
  func perform(_ request: TransportRequest, into sink: FileSink?) async throws -> TransportAnswer
}

extension HTTPTransport {
  /// Sends one request and receives the complete answer, whatever its status is.
  public func perform(_ request: TransportRequest) async throws -> TransportAnswer {
    try await perform(request, into: nil)
  }
}

extension HTTPTransport where Self == SystemTransport {
  /// The platform's transport, with its own connections: libcurl on Linux, `URLSession` on Apple platforms.
  public static func system(_ options: TransportOptions = TransportOptions()) -> SystemTransport {
    SystemTransport(options)
  }
}

/// The platform's transport: libcurl on Linux, `URLSession` on Apple platforms.
///
/// The transport keeps its connections open for later requests, and closes them when it is released. The
/// transport uses HTTP/2 if the server offers HTTP/2, and the system's certificates. On Linux it uses the
/// proxies that the environment variables name, as `curl` does.
public struct SystemTransport: HTTPTransport {
  #if os(Linux)
    private let transport: CurlTransport
  #else
    private let transport: SessionTransport
  #endif

  /// Creates a transport, which opens no connection before its first request.
  public init(_ options: TransportOptions = TransportOptions()) {
    #if os(Linux)
      transport = CurlTransport(options)
    #else
      transport = SessionTransport(options)
    #endif
  }

  /// Sends one request and receives the complete answer, as ``HTTPTransport/perform(_:into:)`` states.
  public func perform(_ request: TransportRequest, into sink: FileSink?) async throws -> TransportAnswer {
    try Task.checkCancellation()
    return try await transport.perform(try request.checked(), into: sink)
  }
}
