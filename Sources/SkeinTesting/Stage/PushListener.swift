#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Skein

/// A push channel that is open, and what it brings.
final class PushListener: Sendable {
  private let device: Device
  private let events: AsyncStream<BackendEvent>
  private let run: Task<Void, any Error>

  /// - Parameter taking: what the device does with an event before it takes the next.
  init(_ device: Device, since cursor: SyncCursor?, taking: @escaping BackendReceiver = { _ in }) {
    self.device = device
    let (events, continuation) = AsyncStream.makeStream(of: BackendEvent.self)
    self.events = events
    run = Task {
      defer { continuation.finish() }
      try await device.backend.run(since: cursor) { event in
        continuation.yield(event)
        await taking(event)
      }
    }
  }

  /// Returns once the channel has said that it is open; it has to say that first.
  func connected() async throws {
    let first = await next()
    if let first { return try expect(first, is: .connected, "The push channel's first event") }
    try await run.value
    throw CheckEnd.failed("The push channel ended without having said that it is connected.")
  }

  /// The next event; nil if the channel has ended.
  func next() async -> BackendEvent? {
    var iterator = events.makeAsyncIterator()
    return await iterator.next()
  }

  /// Follows what is announced until something is in it or in the sync that it leads to.
  ///
  /// - Returns: the cursor after that.
  func hears(
    _ payload: Data, in conversation: ConversationRef, since cursor: SyncCursor?
  ) async throws -> SyncCursor {
    var cursor = cursor
    while true {
      device.stage.step = "\(device.user)'s push channel to announce a message"
      guard let event = await next() else {
        try await run.value
        throw CheckEnd.failed("The push channel ended before it announced a message.")
      }
      let news: [IncomingMessage]
      switch event {
      case .batch(let batch) where batch.from == cursor:
        cursor = batch.next
        news = batch.messages(in: conversation)
      case .poke, .batch:
        let caught = try await device.catchUp(since: cursor)
        cursor = caught.cursor
        news = caught.messages(in: conversation)
      case .connected, .signedOut: continue
      }
      if let cursor, news.contains(where: { $0.payload == payload }) { return cursor }
    }
  }

  /// Returns when the channel has ended, with what it threw.
  @discardableResult
  func ended() async -> (any Error)? {
    while await next() != nil {}
    do {
      try await run.value
      return nil
    } catch {
      return error
    }
  }

  /// Asks the channel to end.
  func cancel() { run.cancel() }
}
