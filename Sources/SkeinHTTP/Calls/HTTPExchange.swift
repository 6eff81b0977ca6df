import Foundation
import SkeinModel
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The answer to one request while it is being received, up to a maximum size.
///
/// An exchange has one end. A cancelled exchange ends immediately, and ignores later events of the `URLSession`.
final class HTTPExchange: Sendable {
  private struct State {
    var response: HTTPURLResponse?
    var body = Data()
    var end: Result<HTTPAnswer, any Error>?
    var waiter: UnsafeContinuation<HTTPAnswer, any Error>?
  }
  private let state = Mutex(State())
  private let sink: FileSink?
  private let maximumSize: Int

  init(sink: FileSink?, maximumSize: Int) {
    self.sink = sink
    self.maximumSize = maximumSize
  }

  func begin(_ waiter: UnsafeContinuation<HTTPAnswer, any Error>) {
    let end = state.withLock { state in
      if state.end == nil { state.waiter = waiter }
      return state.end
    }
    if let end { waiter.resume(with: end) }
  }

  func end(_ result: Result<HTTPAnswer, any Error>) {
    let waiter = state.withLock { state -> UnsafeContinuation<HTTPAnswer, any Error>? in
      guard state.end == nil else { return nil }
      state.end = result
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(with: result)
  }

  func received(_ response: HTTPURLResponse) {
    state.withLock { $0.response = response }
  }

  /// Receives a part of the body. Returns false if this failed; the caller then cancels the request.
  func received(_ data: Data) -> Bool {
    do {
      try state.withLock { state in
        // A cancelled exchange has closed the file.
        guard state.end == nil else { return }
        if let sink, let status = state.response?.statusCode, status == 200 || status == 206 {
          return try sink.write(data, isRest: status == 206)
        }
        guard data.count <= maximumSize - state.body.count else { throw BackendError.oversize }
        state.body += data
      }
      return true
    } catch {
      end(.failure(error))
      return false
    }
  }

  func completed(_ error: (any Error)?) {
    if let error { return end(.failure(BackendError(exchange: error))) }
    end(
      state.withLock { state in
        guard let response = state.response else { return .failure(BackendError.garbled) }
        return .success(
          HTTPAnswer(
            status: response.statusCode, body: [UInt8](state.body),
            retryAfter: response.value(forHTTPHeaderField: "Retry-After"),
            date: response.value(forHTTPHeaderField: "Date")))
      })
  }
}
