import SkeinStorage

/// Sends read marks and settings of conversations to the server. If a conversation has several unsent marks, or a setting
/// has changed several times, only the last value is sent.
actor PendingMarks {
  private let store: ChatStore
  private let backend: any ChatBackend
  private let runtime: Runtime
  private let inbox = ChangeInbox()
  private var backoff = RetryBackoff()
  private var isSignedOut = false
  /// The server allows no request before this uptime.
  private var heldUntil = Duration.zero

  init(store: ChatStore, backend: any ChatBackend) {
    self.store = store
    self.backend = backend
    runtime = store.runtime
  }

  /// Works until its task is cancelled; returns at once if the backend has neither read marks nor settings.
  func run() async {
    let capabilities = store.capabilities
    guard capabilities.readMarks || !capabilities.settings.isEmpty else { return }
    let subscription = store.feed.subscribe { [inbox] changes in
      if changes.parts.contains(where: { $0.hasPendingMarks(for: capabilities) }) { inbox.add(changes) }
    }
    defer { store.feed.unsubscribe(subscription) }
    while !Task.isCancelled {
      _ = inbox.takeAll()
      guard !isSignedOut else {
        await inbox.doorbell.wait()
        continue
      }
      guard heldUntil <= runtime.uptime() else {
        await inbox.doorbell.wait(until: heldUntil, runtime)
        continue
      }
      do {
        try await sendPending()
        backoff.succeeded()
        await inbox.doorbell.wait()
      } catch {
        // A new value is sent without waiting for the retry of a failed one, unless the server requested the
        // wait.
        let retryAfter = BackendError(from: error).retryAfter
        let wait = backoff.failed(random: runtime.random(), retryAfter: retryAfter)
        if retryAfter != nil { heldUntil = runtime.uptime() + wait }
        await inbox.doorbell.wait(until: runtime.uptime() + wait, runtime)
      }
    }
  }

  /// Called each time this process gets the lease, before any work.
  func started() { isSignedOut = false }

  /// Called when the push channel has opened: what failed without a connection is sent at once.
  func connected() {
    guard backoff.failures > 0 else { return }
    backoff.succeeded()
    inbox.doorbell.ring()
  }

  /// Stops sending until the next call of ``started()``, because the session has ended.
  func signedOut() { isSignedOut = true }

  private func sendPending() async throws {
    let failures = [try await sendReadMarks(), try await sendSettings()].compactMap(\.self)
    if let failure = failures.max(by: { $0.retryAfter ?? .zero < $1.retryAfter ?? .zero }) { throw failure }
  }

  /// - Returns: the failure that asks for the longest wait; nil if nothing has failed.
  private func sendReadMarks() async throws -> BackendError? {
    guard store.capabilities.readMarks else { return nil }
    let ordering = store.ordering
    let (pending, epoch) = try await store.read { database in
      (
        try database.conversationsWithPendingReadMark().map {
          ($0, try database.pendingMark(of: $0, ordering))
        },
        try database.account()?.epoch
      )
    }
    var failure: BackendError?
    for (row, mark) in pending {
      guard let ref = row.ref, let rank = row.pendingReadMark else { continue }
      do {
        // Without positions and server ids, the server can't be told what was read.
        if let mark { try await backend.require(\.readMarks).markRead(ref, upTo: mark, in: epoch) }
      } catch {
        // A refused mark is not retried, since the server would refuse it again.
        if case .retry(let cause) = try ValueFailure(of: error) {
          // The failure does not block the marks of other conversations.
          if failure?.retryAfter ?? .zero <= cause.retryAfter ?? .zero { failure = cause }
          continue
        }
      }
      try await store.write(.kill) { transaction in
        // If a new epoch has begun meanwhile, a pending mark of the same value belongs to that epoch, and
        // stays. So does a mark of a conversation that has got another ref.
        guard transaction.account.epoch == epoch, try transaction.row(of: row.id).ref == ref else { return }
        try transaction.change(row.id) { if $0.pendingReadMark == rank { $0.pendingReadMark = nil } }
      }
    }
    return failure
  }

  /// - Returns: the failure that asks for the longest wait; nil if nothing has failed.
  private func sendSettings() async throws -> BackendError? {
    let supported = store.capabilities.settings
    guard !supported.isEmpty else { return nil }
    let (unconfirmed, epoch) = try await store.read { database in
      (try database.conversationsWithUnconfirmed(supported), try database.account()?.epoch)
    }
    var failure: BackendError?
    for row in unconfirmed {
      guard let ref = row.ref else { continue }
      for setting in ConversationSetting.allCases
      where row.unconfirmedSettings.contains(setting) && supported.contains(setting) {
        let isSet = row[setting]
        var isRefused = false
        do {
          try await backend.require(\.settings?.backend).set(setting, to: isSet, of: ref)
        } catch {
          if case .retry(let cause) = try ValueFailure(of: error) {
            // The failure does not block other settings.
            if failure?.retryAfter ?? .zero <= cause.retryAfter ?? .zero { failure = cause }
            continue
          }
          isRefused = true
        }
        try await store.write(.kill) { [isRefused] transaction in
          // A restored server may have lost the value, and a conversation that has replaced this one may lack it, so it is
          // sent again.
          guard transaction.account.epoch == epoch, try transaction.row(of: row.id).ref == ref else { return }
          try transaction.change(row.id) { row in
            if isRefused { row.refuse(setting, isSet) } else { row.confirm(setting, isSet) }
          }
        }
      }
    }
    return failure
  }
}

/// The consequence of a failure for the one mark or setting that was sent.
private enum ValueFailure {
  /// The server would refuse the value again.
  case refused
  /// The value is sent again later.
  case retry(BackendError)

  /// - Throws: a failure that does not concern this value only: the server can't be reached, has ended the session or
  ///   requests a pause, or the task was cancelled.
  init(of error: any Error) throws {
    if Task.isCancelled { throw error }
    let error = BackendError(from: error)
    switch error.code {
    case .permanent, .unsupported: self = .refused
    case .unreachable, .rateLimited, .unauthorized: throw error
    default: self = .retry(error)
    }
  }
}

extension ReadTransaction {
  /// The message of a conversation's pending read mark, as the server knows it; nil if the server knows none.
  fileprivate func pendingMark(
    of row: ConversationRow, _ ordering: BackendCapabilities.Ordering
  ) throws -> MessageMark? {
    guard let rank = row.pendingReadMark else { return nil }
    let named = try lastNamed(in: row.id, upTo: rank)
    if ordering == .arrival { return named.map { MessageMark(serverID: $0.0) } }
    return MessageMark(
      position: Position(rawValue: rank.rawValue), serverID: named.flatMap { $0.1 == rank ? $0.0 : nil })
  }
}
