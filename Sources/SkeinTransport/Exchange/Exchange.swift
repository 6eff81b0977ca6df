import SkeinModel
import Synchronization

/// Collects the answer to one request. The maximum size does not limit a body that goes into a sink.
///
/// An exchange ends only once: later results are ignored. A cancelled exchange ends immediately, and ignores
/// later events of the connection.
final class Exchange: Sendable {
  private struct State {
    var answer: TransportAnswer?
    var end: Result<TransportAnswer, any Error>?
    var waiter: UnsafeContinuation<TransportAnswer, any Error>?
  }
  private let state = Mutex(State())
  private let sink: FileSink?
  private let maximumSize: Int

  init(sink: FileSink?, maximumSize: Int) {
    self.sink = sink
    self.maximumSize = maximumSize
  }

  /// Whether the body of an answer with status 200 or 206 goes into a file.
  var hasSink: Bool { sink != nil }

  var hasEnded: Bool { state.withLock { $0.end != nil } }

  func begin(_ waiter: UnsafeContinuation<TransportAnswer, any Error>) {
    let end = state.withLock { state in
      if state.end == nil { state.waiter = waiter }
      return state.end
    }
    if let end { waiter.resume(with: end) }
  }

  func end(_ result: Result<TransportAnswer, any Error>) {
    let waiter = state.withLock { state -> UnsafeContinuation<TransportAnswer, any Error>? in
      guard state.end == nil else { return nil }
      state.end = result
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(with: result)
  }

  /// Receives the head of the answer.
  func received(status: Int, headers: [(name: String, value: String)]) {
    state.withLock { $0.answer = TransportAnswer(status: status, headers: headers) }
  }

  /// Receives a part of the body. Returns false if the part can't be received or the exchange has ended; the
  /// caller then ends the transfer.
  func received(_ bytes: UnsafeRawBufferPointer) -> Bool {
    do {
      return try state.withLock { state in
        // When the exchange has ended, the caller of `perform` may have closed the sink's file.
        guard state.end == nil else { return false }
        // A copy of the answer would make each append copy the body.
        guard let status = state.answer?.status, let length = state.answer?.body.count else {
          throw BackendError.garbled
        }
        if let sink, status == 200 || status == 206 {
          if status == 206 { try sink.checkRange(state.answer?["Content-Range"]) }
          try sink.write(bytes, isRest: status == 206)
          return true
        }
        guard bytes.count <= maximumSize - length else { throw BackendError.oversize }
        state.answer?.body.append(contentsOf: bytes)
        return true
      }
    } catch {
      end(.failure(error))
      return false
    }
  }

  /// Ends the exchange with the received answer; with `garbled` if there is no answer.
  func completed() {
    end(state.withLock { $0.answer.map { .success($0) } ?? .failure(BackendError.garbled) })
  }
}
