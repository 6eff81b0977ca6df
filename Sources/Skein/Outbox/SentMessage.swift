import SkeinStorage

/// A message that was passed to a ``ChatMessenger``.
public struct SentMessage: Sendable, Identifiable {
  /// The message's local id, the same before and after sending.
  public let id: LocalMessageID
  /// The key by which the server recognizes the message.
  public let messageID: MessageID
  let messenger: ChatMessenger
  private var store: ChatStore { messenger.store }

  init(_ row: MessageRow, _ messenger: ChatMessenger) {
    id = row.id
    messageID = row.messageID
    self.messenger = messenger
  }

  /// The current state.
  ///
  /// - Throws: `StorageError` if the database can't be read.
  public var state: SendState {
    get async throws {
      let row = try await store.read { [id] in try $0.find(MessageRow.self, id) }
      guard let row else { return store.cleared.end(of: id) ?? .cancelled }
      return SendState(endOf: row) ?? messenger.outbox.status.value.state(of: id) ?? .queued
    }
  }

  /// The current state, then its changes. The stream ends with a final state, or when the database can't be
  /// read, for example because the client was closed.
  ///
  /// Each access returns a new, independent stream. A stream may miss intermediate states.
  public var progress: AsyncStream<SendState> {
    AsyncStream(bufferingPolicy: .bufferingNewest(16)) { continuation in
      let following = store.runtime.spawn {
        try? await follow { continuation.yield($0) }
        continuation.finish()
      }
      continuation.onTermination = { _ in following.cancel() }
    }
  }

  private func follow(_ report: (SendState) -> Void) async throws {
    let doorbell = Doorbell()
    let id = id
    let subscription = store.feed.subscribe { if $0.mentions(id) { doorbell.ring() } }
    let moving = store.runtime.spawn { [updates = messenger.outbox.status.updates] in
      for await _ in updates { doorbell.ring() }
      // The client is closed. The next read of the state throws, and the error ends the loop below.
      doorbell.ring()
    }
    defer {
      store.feed.unsubscribe(subscription)
      moving.cancel()
    }
    var last: SendState?
    while !Task.isCancelled {
      let state = try await state
      if state != last { report(state) }
      if state.isEnd { return }
      last = state
      await doorbell.wait()
    }
  }

  /// The sent message. Waits until the server has the message, without a time limit.
  ///
  /// - Throws: ``SendFailure`` once the message has failed or is uncertain, ``ChatError`` if the message was
  ///   cancelled or deleted, `StorageError` when the client is closed, `CancellationError` when the waiting
  ///   task is cancelled. The last two errors do not cancel the message.
  public var result: ChatMessage {
    get async throws {
      while true {
        try await follow { _ in }
        try Task.checkCancellation()
        let row = try await store.read { [id] in try $0.find(MessageRow.self, id) }
        guard let row else { throw ChatError(.messageUnknown, "The message was deleted.") }
        switch SendState(endOf: row) {
        case .failed(let failure), .uncertain(let failure): throw failure
        // The message has been retried since.
        case nil: continue
        default: return row.message(for: store.account, kinds: store.kinds)
        }
      }
    }
  }

  /// Cancels the message; see ``ChatMessenger/cancel(_:)``.
  @discardableResult
  public func cancel() async throws -> CancelOutcome { try await messenger.cancel(id) }
}

extension StoreChanges {
  /// Whether the message may have changed.
  fileprivate func mentions(_ message: LocalMessageID) -> Bool {
    parts.contains { part in
      part.needsReload || part.deleted.contains(message) || part.messages.contains { $0.id == message }
    }
  }
}

extension SentMessage: CustomStringConvertible {
  /// The ids of the message.
  public var description: String { "SentMessage(\(id.rawValue), \(messageID.rawValue))" }
}
