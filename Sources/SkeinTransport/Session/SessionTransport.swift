// On Linux, `URLSession` is slow, waits beyond its time limits, and has crashed at cancellation.
#if !os(Linux)
  import Foundation
  import SkeinModel
  import Synchronization

  /// Sends requests through a `URLSession`.
  final class SessionTransport: Sendable {
    /// The queue of all callbacks and deadlines. A callback that cancels a task waits for the session, which
    /// may be busy. Callbacks therefore must not run on a thread of Swift's concurrency pool. The queue is
    /// static, since `OperationQueue` declares its underlying queue as unretained.
    private static let callbacks = DispatchQueue(label: "SkeinTransport")

    private let session: URLSession
    private let exchanges: SessionExchanges
    private let options: TransportOptions

    init(_ options: TransportOptions) {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.timeoutIntervalForRequest = options.idleTimeout / .seconds(1)
      configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
      configuration.urlCache = nil
      configuration.httpCookieStorage = nil
      configuration.httpShouldSetCookies = false
      configuration.urlCredentialStorage = nil
      configuration.httpMaximumConnectionsPerHost = max(options.maximumRequests, 1)
      exchanges = SessionExchanges()
      let callbacks = OperationQueue()
      callbacks.maxConcurrentOperationCount = 1
      callbacks.underlyingQueue = Self.callbacks
      session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: callbacks)
      self.options = options
    }

    // A session retains its delegate until the session is invalidated.
    deinit { session.finishTasksAndInvalidate() }

    func perform(_ request: TransportRequest, into sink: FileSink?) async throws -> TransportAnswer {
      let exchange = Exchange(sink: sink, maximumSize: options.maximumAnswerSize)
      let task = session.dataTask(with: try URLRequest(request))
      exchanges.add(exchange, for: task)
      defer { exchanges.remove(task) }
      if let deadline = request.deadline {
        Self.callbacks.asyncAfter(deadline: .now() + deadline / .seconds(1)) {
          exchange.end(.failure(BackendError.late))
        }
      }
      return try await withTaskCancellationHandler {
        do {
          return try await withUnsafeThrowingContinuation { continuation in
            exchange.begin(continuation)
            task.resume()
          }
        } catch {
          // The session's task may still run although the exchange has ended.
          task.cancel()
          throw error
        }
      } onCancel: {
        exchange.end(.failure(CancellationError()))
        task.cancel()
      }
    }
  }

  extension URLRequest {
    fileprivate init(_ request: TransportRequest) throws {
      self.init(url: request.url)
      httpMethod = request.method
      if let idle = request.idleTimeout { timeoutInterval = idle / .seconds(1) }
      for (name, value) in request.headers { addValue(value, forHTTPHeaderField: name) }
      httpBody = try request.body.map { try BodySource($0).load() }
    }
  }

  extension BodySource {
    /// Reads the whole body into memory, since a body stream can't start at an offset of a file.
    fileprivate func load() throws -> Data {
      var data = Data(count: Int(count))
      var length = 0
      while length < data.count {
        let part = data.withUnsafeMutableBytes { bytes in
          read(at: Int64(length), into: UnsafeMutableRawBufferPointer(rebasing: bytes[length...]))
        }
        guard let part else { throw BodySource.changed }
        length += part
      }
      return data
    }
  }

  extension BackendError {
    /// Creates the error for a failure of a `URLSession`.
    fileprivate init(session error: any Error) {
      switch (error as? URLError)?.code {
      case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet, .dataNotAllowed,
        .internationalRoamingOff, .callIsActive, .secureConnectionFailed, .serverCertificateUntrusted,
        .serverCertificateHasBadDate, .serverCertificateNotYetValid, .serverCertificateHasUnknownRoot:
        self.init(transport: error, wasSent: false)
      case .timedOut:
        self.init(.transient, Self.late.message, outcomeIsUnknown: true, cause: error)
      default:
        // This includes a truncated answer, which has no error code of its own.
        self.init(transport: error, wasSent: true)
      }
    }
  }

  /// Forwards the events of each task to its exchange.
  private final class SessionExchanges: NSObject, URLSessionDataDelegate, Sendable {
    private let running = Mutex<[Int: Exchange]>([:])

    func add(_ exchange: Exchange, for task: URLSessionTask) {
      running.withLock { $0[task.taskIdentifier] = exchange }
    }

    func remove(_ task: URLSessionTask) {
      running.withLock { $0[task.taskIdentifier] = nil }
    }

    private func exchange(of task: URLSessionTask) -> Exchange? {
      running.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
      completionHandler(nil)
    }

    /// Called when a reused connection broke after the body was sent. The exchange fails, so that the caller
    /// decides whether to send the request again. Otherwise, the session would send the request again.
    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      needNewBodyStream completionHandler: @escaping (InputStream?) -> Void
    ) {
      exchange(of: task)?.end(.failure(BackendError.brokenOff))
      completionHandler(nil)
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
      guard let exchange = exchange(of: dataTask), let response = response as? HTTPURLResponse else {
        return completionHandler(.cancel)
      }
      let headers = response.allHeaderFields.map { (name: "\($0.key)", value: "\($0.value)") }
      exchange.received(status: response.statusCode, headers: headers)
      completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      if exchange(of: dataTask)?.received(data) != true { dataTask.cancel() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      guard let exchange = exchange(of: task) else { return }
      if let error { exchange.end(.failure(BackendError(session: error))) } else { exchange.completed() }
    }
  }

  extension Exchange {
    fileprivate func received(_ data: Data) -> Bool { data.withUnsafeBytes { received($0) } }
  }
#endif
