#if os(Linux)
  import SkeinModel

  /// Sends requests with libcurl. All requests of one transport share a thread.
  ///
  /// A task waits in a continuation, so that no thread of Swift's concurrency pool is blocked.
  final class CurlTransport: Sendable {
    private let thread: CurlThread
    private let maximumAnswerSize: Int

    init(_ options: TransportOptions) {
      thread = CurlThread(options)
      maximumAnswerSize = options.maximumAnswerSize
    }

    // Each call retains the transport, so no request is under way here.
    deinit { thread.stop() }

    func perform(_ request: TransportRequest, into sink: FileSink?) async throws -> TransportAnswer {
      let exchange = Exchange(sink: sink, maximumSize: maximumAnswerSize)
      let order = CurlOrder(
        request: request, body: try request.body.map(BodySource.init), exchange: exchange)
      let id = thread.newID()
      return try await withTaskCancellationHandler {
        try await withUnsafeThrowingContinuation { continuation in
          exchange.begin(continuation)
          do {
            try thread.start(id, order)
          } catch {
            exchange.end(.failure(error))
          }
        }
      } onCancel: {
        exchange.end(.failure(CancellationError()))
        thread.cancel(id)
      }
    }
  }

  /// A request with its body and its exchange, as passed to the thread of the transfers.
  struct CurlOrder: Sendable {
    let request: TransportRequest
    let body: BodySource?
    let exchange: Exchange
  }
#endif
