#if os(Linux)
  import CTransfers
  import SkeinModel

  /// All transfers of one transport; used only by the transport's thread.
  final class CurlLoop {
    private let pointer: OpaquePointer
    private let options: TransportOptions
    private let connectMilliseconds: Int
    private var transfers: [CurlThread.ID: CurlTransfer] = [:]
    /// The requests that wait for other requests to end, in order; may contain requests that have ended.
    private var waiting: ArraySlice<CurlThread.ID> = []
    private var running = 0
    /// No time limit ends before this moment.
    private var nextLimit: ContinuousClock.Instant?

    init(_ pointer: OpaquePointer, _ options: TransportOptions) {
      self.pointer = pointer
      self.options = options
      connectMilliseconds = max(Self.milliseconds(options.idleTimeout), 1)
    }

    /// Does the work, sends and receives, and then waits for new work, the network or a time limit.
    func turn(_ work: [CurlThread.Work]) {
      for item in work {
        switch item {
        case .start(let id, let order): add(CurlTransfer(id, order))
        case .cancel(let id): take(id)?.remove()
        }
      }
      beginWaiting()
      ctransfers_run(pointer)
      var code: Int32 = 0
      while let owner = ctransfers_next_ended(pointer, &code) {
        if let id = CurlTransfer.at(owner)?.id, let transfer = take(id) { transfer.ended(code) }
      }
      checkLimits()
      let hasBegun = beginWaiting()
      let wait = nextLimit.map { Self.milliseconds($0 - .now) + 1 } ?? Int(Int32.max)
      ctransfers_wait(pointer, hasBegun ? 0 : Int32(clamping: wait))
    }

    /// Ends all transfers.
    func close() {
      for id in transfers.keys.sorted() { take(id)?.fail(CancellationError()) }
    }

    private func add(_ transfer: CurlTransfer) {
      guard !transfer.hasEnded else { return }
      transfers[transfer.id] = transfer
      waiting.append(transfer.id)
      note(transfer.limit(options.idleTimeout))
    }

    /// Removes a transfer from `transfers`.
    private func take(_ id: CurlThread.ID) -> CurlTransfer? {
      let transfer = transfers.removeValue(forKey: id)
      if transfer?.isRunning == true { running -= 1 }
      return transfer
    }

    /// Begins as many of the waiting transfers as may run; returns whether any transfer has begun.
    @discardableResult
    private func beginWaiting() -> Bool {
      var hasBegun = false
      while running < max(options.maximumRequests, 1), let id = waiting.popFirst() {
        guard let transfer = transfers[id] else { continue }
        if transfer.begin(pointer, connectMilliseconds: connectMilliseconds) {
          running += 1
          hasBegun = true
        } else {
          transfers[id] = nil
        }
      }
      return hasBegun
    }

    /// Ends the transfers whose time has passed. The limit of a transfer only moves to a later time, so no
    /// transfer is checked before `nextLimit`.
    private func checkLimits() {
      if transfers.isEmpty { nextLimit = nil }
      let now = ContinuousClock.now
      guard let limit = nextLimit, limit <= now else { return }
      nextLimit = nil
      for (id, transfer) in transfers {
        if transfer.isLate(at: now, options.idleTimeout) {
          take(id)?.failLate()
        } else {
          note(transfer.limit(options.idleTimeout))
        }
      }
    }

    private func note(_ limit: ContinuousClock.Instant) {
      nextLimit = nextLimit.map { min($0, limit) } ?? limit
    }

    private static func milliseconds(_ duration: Duration) -> Int {
      Int(min(max(duration / .milliseconds(1), 0), 1e9))
    }
  }
#endif
