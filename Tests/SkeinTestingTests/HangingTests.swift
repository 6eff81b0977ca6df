import Dispatch
import Foundation
import Skein
import SkeinTesting
import Testing

/// A server that blocks the thread of each call of one kind until its release, and ignores cancellation.
private final class BlockingServer: StoppableServer {
  enum Call: Sendable { case stop, send, finish }

  private let base = StyledServer(.dense)
  private let semaphore = DispatchSemaphore(value: 0)
  let call: Call?

  init(blocking call: Call?) { self.call = call }

  func makeUser() async throws -> UserID { try await base.makeUser() }
  func makeBackend(for user: UserID) async throws -> any ChatBackend {
    BlockingBackend(base: try await base.makeBackend(for: user), server: self)
  }
  func stop() async throws {
    block(.stop)
    try await base.stop()
  }
  func start() async throws { try await base.start() }
  func finish() async { block(.finish) }

  func block(_ call: Call) {
    guard self.call == call else { return }
    semaphore.wait()
    // The next blocked call goes on as well.
    semaphore.signal()
  }

  /// Lets all blocked calls go on.
  func release() { semaphore.signal() }
}

private struct BlockingBackend: ChatBackend {
  let base: any ChatBackend
  let server: BlockingServer

  var capabilities: BackendCapabilities { base.capabilities }
  func run(since cursor: SyncCursor?, _ receive: @escaping BackendReceiver) async throws {
    try await base.run(since: cursor, receive)
  }
  func sync(since cursor: SyncCursor?, limit: Int) async throws -> SyncBatch {
    try await base.sync(since: cursor, limit: limit)
  }
  func history(of conversation: ConversationRef, at anchor: HistoryAnchor, limit: Int) async throws
    -> HistoryPage
  {
    try await base.history(of: conversation, at: anchor, limit: limit)
  }
  func send(_ message: OutgoingMessage) async throws -> SendReceipt {
    server.block(.send)
    return try await base.send(message)
  }
  func open(_ request: ConversationRequest) async throws -> ConversationInfo { try await base.open(request) }
}

@Suite("A check that hangs", .serialized, .timeLimit(.minutes(2)))
struct HangingTests {
  private func failure(of check: BackendCheck, on server: BlockingServer) async -> ConformanceFailure? {
    await #expect(throws: ConformanceFailure.self) { try await check.run(on: server, within: .seconds(1)) }
  }

  @Test(
    "A server whose stop() blocks its thread fails the check, and the failure names the check and the step")
  func blockedStop() async throws {
    let server = BlockingServer(blocking: .stop)
    defer { server.release() }
    let check = try #require(BackendCheck.all.first { $0.needs == [.stopping] })
    let failure = await failure(of: check, on: server)
    #expect(failure?.check == check.name)
    #expect(
      failure?.detail == "It did not end within 1.0 seconds, waiting for the test server's stop().")
  }

  @Test("A backend whose send blocks its thread fails the check, and the failure names the step")
  func blockedSend() async throws {
    let server = BlockingServer(blocking: .send)
    defer { server.release() }
    let check = try #require(BackendCheck.all.first)
    let failure = await failure(of: check, on: server)
    #expect(failure?.detail == "It did not end within 1.0 seconds, waiting for user1's send.")
  }

  @Test("A server whose finish() blocks its thread fails a check that would have passed")
  func blockedFinish() async throws {
    let server = BlockingServer(blocking: .finish)
    defer { server.release() }
    let check = try #require(BackendCheck.all.first)
    let failure = await failure(of: check, on: server)
    #expect(failure?.detail == "The test server's finish() did not end within 1.0 seconds.")
  }

  @Test("Other checks still run while the number of blocked checks exceeds the machine's number of cores")
  func others() async throws {
    let server = BlockingServer(blocking: .send)
    defer { server.release() }
    let check = try #require(BackendCheck.all.first)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<ProcessInfo.processInfo.activeProcessorCount * 4 {
        group.addTask { _ = await failure(of: check, on: server) }
      }
    }
    for check in BackendCheck.all.prefix(5) {
      let outcome = try await check.run(on: BlockingServer(blocking: nil))
      #expect(outcome == .passed || check.needs.contains(.losing))
    }
  }
}
