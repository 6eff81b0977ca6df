#if os(Linux)
  import CTransfers
  import FoundationEssentials
  import SkeinModel

  /// One request and its answer at libcurl; used only by the thread of the transfers.
  final class CurlTransfer {
    let id: CurlThread.ID
    private let order: CurlOrder
    /// nil before the transfer begins, and after its end.
    private var pointer: OpaquePointer?
    /// The number of times that libcurl was about to send the request over a connection.
    private var attempts = 0
    private var sent: Int64 = 0
    private var head = AnswerHead()
    private var failure: (any Error)?
    private let deadline: ContinuousClock.Instant?
    /// The start of the current idle time: the last observed activity. Until a connection is open, this is
    /// the creation of the transfer, or the last check that found the idle timeout exceeded.
    private var active = ContinuousClock.now
    private var unconfirmed = 0

    /// A body in memory up to this length, in bytes, is sent together with the head.
    private static let shortBody = 64 << 10

    init(_ id: CurlThread.ID, _ order: CurlOrder) {
      self.id = id
      self.order = order
      deadline = order.request.deadline.map { ContinuousClock.now + $0 }
    }

    /// Whether the transfer has begun and not ended.
    var isRunning: Bool { pointer != nil }

    var hasEnded: Bool { order.exchange.hasEnded }

    /// Starts the transfer. Returns false if the transfer can't start; the exchange has then ended.
    func begin(_ all: OpaquePointer, connectMilliseconds: Int) -> Bool {
      let request = order.request
      let owner = Unmanaged.passUnretained(self).toOpaque()
      guard let pointer = ctransfer_new(all, owner, request.method, request.url.absoluteString) else {
        order.exchange.end(.failure(BackendError(transport: CurlError.outOfMemory, wasSent: false)))
        return false
      }
      self.pointer = pointer
      for (name, value) in request.headers {
        ctransfer_add_header(pointer, value.isEmpty ? "\(name);" : "\(name): \(value)")
      }
      setBody(pointer)
      let acceptsCompressed = !order.exchange.hasSink
      guard ctransfer_begin(pointer, connectMilliseconds, acceptsCompressed ? 1 : 0) != 0 else {
        fail(BackendError(.permanent, "The request can't be sent."))
        return false
      }
      return true
    }

    private func setBody(_ pointer: OpaquePointer) {
      let needsBody = ["POST", "PUT", "PATCH"].contains(order.request.method)
      guard let body = order.body ?? (needsBody ? .bytes([]) : nil) else { return }
      if !order.request.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
        // Otherwise libcurl states that the body is a form.
        ctransfer_add_header(pointer, "Content-Type:")
      }
      if case .bytes(let bytes) = body, bytes.count <= Self.shortBody {
        ctransfer_copy_body(pointer, bytes, bytes.count)
      } else {
        ctransfer_stream_body(pointer, body.count)
      }
    }

    /// Removes the transfer.
    func remove() {
      if let pointer { ctransfer_end(pointer) }
      pointer = nil
    }

    func fail(_ error: any Error) {
      remove()
      order.exchange.end(.failure(error))
    }

    func failLate() {
      fail(attempts > 0 ? BackendError.late : BackendError(.transient, BackendError.late.message))
    }

    /// Handles the end of the transfer at libcurl.
    func ended(_ code: Int32) {
      remove()
      if let failure { return order.exchange.end(.failure(failure)) }
      if code == 0 { return order.exchange.completed() }
      // If a kept connection broke, libcurl has tried to open another connection. The request may have
      // arrived over the broken connection.
      order.exchange.end(.failure(BackendError(transport: CurlError(code: code), wasSent: attempts > 0)))
    }

    /// The earliest moment at which the transfer can be late.
    func limit(_ idleTimeout: Duration) -> ContinuousClock.Instant {
      let idle = active + (order.request.idleTimeout ?? idleTimeout)
      return deadline.map { min($0, idle) } ?? idle
    }

    /// Whether a time limit has passed.
    func isLate(at now: ContinuousClock.Instant, _ idleTimeout: Duration) -> Bool {
      if let deadline, deadline <= now { return true }
      guard active + (order.request.idleTimeout ?? idleTimeout) <= now else { return false }
      // Until the request is sent, only its deadline and libcurl's limit for connecting apply.
      if attempts == 0 {
        active = now
        return false
      }
      // The system takes many bytes of a body at once, and sends them while libcurl sees no activity.
      let before = unconfirmed
      unconfirmed = pointer.map { ctransfer_unconfirmed($0) } ?? 0
      if unconfirmed > 0, unconfirmed != before {
        active = now
        return false
      }
      return true
    }
  }

  // The events of libcurl. The handler of an event must not remove the transfer.
  extension CurlTransfer {
    static let events = ctransfers_events(
      begins: { CurlTransfer.at($0)?.begins() == true ? 1 : 0 },
      receives_head: {
        CurlTransfer.at($0)?.received(line: UnsafeRawBufferPointer(start: $1, count: $2)) == true ? 1 : 0
      },
      receives: {
        CurlTransfer.at($0)?.received(UnsafeRawBufferPointer(start: $1, count: $2)) == true ? 1 : 0
      },
      sends: { CurlTransfer.at($0)?.send(UnsafeMutableRawBufferPointer(start: $1, count: $2)) ?? -1 },
      rewinds: { CurlTransfer.at($0)?.sent = 0 })

    /// The transfer of an event. The loop retains a transfer until the transfer is removed from libcurl.
    static func at(_ owner: UnsafeMutableRawPointer?) -> CurlTransfer? {
      owner.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    private func begins() -> Bool {
      attempts += 1
      active = .now
      return attempts == 1 || order.request.isRepeatable
    }

    private func received(line: UnsafeRawBufferPointer) -> Bool {
      active = .now
      guard head.read(line) else {
        failure = BackendError.oversize
        return false
      }
      if head.isComplete { order.exchange.received(status: head.status, headers: head.fields) }
      return true
    }

    private func received(_ bytes: UnsafeRawBufferPointer) -> Bool {
      active = .now
      return order.exchange.received(bytes)
    }

    private func send(_ buffer: UnsafeMutableRawBufferPointer) -> Int? {
      active = .now
      guard let count = order.body?.read(at: sent, into: buffer) else {
        failure = BodySource.changed
        return nil
      }
      sent += Int64(count)
      return count
    }
  }

  /// libcurl's reason for the end of a transfer.
  struct CurlError: Error, CustomStringConvertible {
    let code: Int32

    static let outOfMemory = CurlError(code: 27)

    var description: String { "curl \(code): \(String(cString: ctransfer_describe(code)))" }
  }
#endif
