#if os(Linux)
  import CTransfers
  import SkeinModel

  /// All transfers of one transport; used only by their thread.
  final class CurlLoop {
    private let pointer: OpaquePointer
    private let idleTimeout: Duration
    private var transfers: [CurlThread.ID: CurlTransfer] = [:]
    /// No time limit ends before this moment.
    private var nextLimit: ContinuousClock.Instant?
    private let connectMilliseconds: Int

    init(_ pointer: OpaquePointer, idleTimeout: Duration) {
      self.pointer = pointer
      self.idleTimeout = idleTimeout
      connectMilliseconds = max(Self.milliseconds(idleTimeout), 1)
    }

    /// Does the work, sends and receives, and then waits for more.
    func turn(_ work: [CurlThread.Work]) {
      for item in work {
        switch item {
        case .start(let id, let order): start(id, order)
        case .cancel(let id): transfers.removeValue(forKey: id)?.remove()
        }
      }
      ctransfers_run(pointer)
      var code: Int32 = 0
      while let owner = ctransfers_next_ended(pointer, &code) {
        guard let transfer = CurlTransfer.at(owner) else { continue }
        transfers[transfer.id] = nil
        transfer.ended(code)
      }
      checkLimits()
      let wait = nextLimit.map { Self.milliseconds($0 - .now) + 1 } ?? Int(Int32.max)
      ctransfers_wait(pointer, Int32(clamping: max(wait, 0)))
    }

    /// Ends all transfers.
    func close() {
      for id in transfers.keys.sorted() { transfers.removeValue(forKey: id)?.fail(CancellationError()) }
    }

    private func start(_ id: CurlThread.ID, _ order: CurlOrder) {
      guard !order.exchange.hasEnded else { return }
      let transfer = CurlTransfer(id, order)
      guard transfer.begin(pointer, connectMilliseconds: connectMilliseconds) else { return }
      transfers[id] = transfer
      let limit = transfer.limit(idleTimeout)
      nextLimit = nextLimit.map { min($0, limit) } ?? limit
    }

    /// Ends the transfers whose time has passed. Limits move on with each byte, so all are looked at only when the first
    /// of them may have passed.
    private func checkLimits() {
      if transfers.isEmpty { nextLimit = nil }
      guard let limit = nextLimit, limit <= .now else { return }
      let now = ContinuousClock.now
      nextLimit = nil
      for (id, transfer) in transfers {
        if transfer.isLate(at: now, idleTimeout) {
          transfers[id] = nil
          transfer.fail(BackendError.late)
        } else {
          let limit = transfer.limit(idleTimeout)
          nextLimit = nextLimit.map { min($0, limit) } ?? limit
        }
      }
    }

    private static func milliseconds(_ duration: Duration) -> Int {
      Int(clamping: Int64(min(max(duration / .milliseconds(1), 0), 1e9)))
    }
  }
#endif
