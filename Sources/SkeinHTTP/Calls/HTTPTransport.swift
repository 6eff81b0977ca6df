import Foundation
import SkeinModel
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends requests through a `URLSession` without cookies, cache or redirects.
///
/// A redirect would send the token to an address chosen by a captive portal.
final class HTTPTransport: Sendable {
  /// The queue of all callbacks. A callback that cancels a task waits for the session, which may be busy.
  /// Callbacks therefore must not run on a thread of Swift's concurrency pool. The queue is static, since a
  /// session does not retain its queue.
  private static let callbacks = DispatchQueue(label: "SkeinHTTP")

  private let session: URLSession
  private let exchanges: Exchanges
  private let maximumAnswerSize: Int

  init(_ options: HTTPOptions) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = options.idleTimeout / .seconds(1)
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCredentialStorage = nil
    exchanges = Exchanges()
    let callbacks = OperationQueue()
    callbacks.maxConcurrentOperationCount = 1
    callbacks.underlyingQueue = Self.callbacks
    session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: callbacks)
    maximumAnswerSize = options.maximumAnswerSize
  }

  // A session retains its delegate until the session is invalidated.
  deinit { session.finishTasksAndInvalidate() }

  /// Sends one request and receives the complete answer. The body of an answer with status 200 or 206 goes into
  /// `sink`, if there is one.
  ///
  /// - Throws: `BackendError`; `CancellationError` as soon as the task is cancelled.
  func perform(
    _ request: URLRequest, into sink: FileSink? = nil
  ) async throws -> HTTPAnswer {
    try Task.checkCancellation()
    let exchange = HTTPExchange(sink: sink, maximumSize: maximumAnswerSize)
    let task = session.dataTask(with: request)
    exchanges.add(exchange, for: task)
    defer { exchanges.remove(task) }
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

/// Forwards the events of each task to its exchange.
private final class Exchanges: NSObject, URLSessionDataDelegate, Sendable {
  private let running = Mutex<[Int: HTTPExchange]>([:])

  func add(_ exchange: HTTPExchange, for task: URLSessionTask) {
    running.withLock { $0[task.taskIdentifier] = exchange }
  }

  func remove(_ task: URLSessionTask) {
    running.withLock { $0[task.taskIdentifier] = nil }
  }

  private func exchange(of task: URLSessionTask) -> HTTPExchange? {
    running.withLock { $0[task.taskIdentifier] }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  /// Called when a reused connection broke after the body was sent. The session would repeat the request, on
  /// Linux without the request's body. The exchange fails instead, so that the caller can repeat the request.
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
    exchange.received(response)
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    if exchange(of: dataTask)?.received(data) != true { dataTask.cancel() }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    exchange(of: task)?.completed(error)
  }
}
