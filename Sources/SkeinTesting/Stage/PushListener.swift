#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinModel

/// An open push channel and its events.
final class PushListener: Sendable {
  private let device: Device
  private let events: AsyncStream<BackendEvent>
  private let run: Task<Void, any Error>

  /// Opens a device's push channel.
  ///
  /// - Parameter taking: processes an event before the next event is received.
  init(_ device: Device, since cursor: SyncCursor?, taking: @escaping BackendReceiver = { _ in }) {
    self.device = device
    let (events, continuation) = AsyncStream.makeStream(of: BackendEvent.self)
    self.events = events
    run = Task(executorPreference: WorkQueue()) {
      defer { continuation.finish() }
      try await device.backend.run(since: cursor) { event in
        continuation.yield(event)
        await taking(event)
      }
    }
  }

  /// Returns once the channel has reported that it is connected. The check fails if the channel reports
  /// another event first, or ends.
  func connected() async throws {
    let first = await next()
    if let first { return try expect(first, is: .connected, "The push channel's first event") }
    try await run.value
    throw CheckEnd.failed("The push channel ended without reporting that it is connected.")
  }

  /// Waits for and returns the next event; nil if the channel has ended or the current task is cancelled.
  func next() async -> BackendEvent? {
    var iterator = events.makeAsyncIterator()
    return await iterator.next()
  }

  /// Follows the announcements until an announcement, or the sync that follows it, contains a message with this
  /// content.
  ///
  /// - Returns: the cursor after that announcement or sync.
  func announces(
    _ payload: Data, in conversation: ConversationRef, since cursor: SyncCursor?
  ) async throws -> SyncCursor {
    try await announces("a message", since: cursor) { batch in
      batch.messages(in: conversation).contains { $0.payload == payload }
    }
  }

  /// Follows the announcements until an announcement, or the sync that follows it, names this contact version.
  ///
  /// - Returns: the cursor after that announcement or sync.
  func announces(version: ContactVersion?, since cursor: SyncCursor?) async throws -> SyncCursor {
    try await announces("a contact list", since: cursor) { $0.contactVersion == version }
  }

  /// Follows the announcements, and the syncs that follow them, until a batch fulfills a condition. Each
  /// batch is tested once.
  ///
  /// - Returns: the cursor after the announcement, or the chain of syncs, that contains this batch.
  func announces(
    _ news: String, since cursor: SyncCursor?, in isNews: (SyncBatch) -> Bool
  ) async throws -> SyncCursor {
    var cursor = cursor
    while true {
      device.stage.step = "\(device.user)'s push channel to announce \(news)"
      guard let event = await next() else {
        try await run.value
        throw CheckEnd.failed("The push channel ended before it announced \(news).")
      }
      let batches: [SyncBatch]
      switch event {
      case .batch(let batch) where batch.from == cursor: batches = [batch]
      case .poke, .batch: batches = try await device.catchUp(since: cursor).batches
      case .connected, .signedOut, .typing, .presence: continue
      }
      cursor = batches.last?.next ?? cursor
      if let cursor, !batches.filter(isNews).isEmpty { return cursor }
    }
  }

  /// Returns once the channel has reported that a user is typing.
  func reportsTyping(of user: UserID, in conversation: ConversationRef) async throws {
    try await reports("that \(user) types") { $0 == .typing(conversation, user, isTyping: true) }
  }

  /// Returns once the channel has reported that a user is online, or offline if `isOnline` is false.
  func reportsPresence(of user: UserID, isOnline: Bool) async throws {
    try await reports("that \(user) is \(isOnline ? "online" : "offline")") { event in
      if case .presence(user, let presence) = event { presence.isOnline == isOnline } else { false }
    }
  }

  private func reports(_ news: String, in isNews: (BackendEvent) -> Bool) async throws {
    device.stage.step = "\(device.user)'s push channel to report \(news)"
    while let event = await next() {
      if isNews(event) { return }
    }
    try await run.value
    throw CheckEnd.failed("The push channel ended before it reported \(news).")
  }

  /// Waits for the end of the channel, and returns the channel's error; nil if the channel ended without an
  /// error.
  @discardableResult
  func ended(with cause: String? = nil) async -> (any Error)? {
    if let cause { device.stage.step = "\(device.user)'s push channel to end with \(cause)" }
    while await next() != nil {}
    do {
      try await run.value
      return nil
    } catch {
      return error
    }
  }

  /// Cancels the channel.
  func cancel() { run.cancel() }
}
