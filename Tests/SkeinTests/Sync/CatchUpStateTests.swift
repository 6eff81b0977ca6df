import Skein
import SkeinSimulation
import Synchronization
import Testing

@Suite("The state of the catch-up")
struct CatchUpStateTests {
  /// Makes a server announce more news with each answer, and calls a closure before the client receives an answer.
  private static func endless(
    _ backend: inout AlteredBackend, beforeAnswer: @escaping @Sendable () -> Void
  ) {
    let pages = Mutex(0)
    backend.onSync = { _, batch in
      var batch = batch
      batch.hasMore = true
      batch.next = pages.withLock { pages in
        pages += 1
        return SyncCursor(rawValue: "0.\(pages)")
      }
      beforeAnswer()
      return batch
    }
  }

  @Test(
    "A client that is stopped between two fetches of a catch-up no longer reports that it fetches",
    .simulated)
  func stopped() async throws {
    let isCancelled = Mutex(false)
    let alice = try await stage.client("alice", on: "phone") { backend in
      Self.endless(&backend) {
        // As by a stop of the client, but surely after the answer: the fetch still succeeds.
        withUnsafeCurrentTask { task in
          guard let task else { return }
          task.cancel()
        }
        isCancelled.withLock { $0 = true }
      }
    }
    alice.start()
    while !isCancelled.withLock({ $0 }) {
      try await stage.runtime(named: "clock").sleep(for: .milliseconds(10))
    }
    await alice.stop()
    #expect(alice.catchUpState == .waiting)
    await alice.close()
  }

  @Test("A client whose session ends during a catch-up no longer reports that it fetches", .simulated)
  func sessionOver() async throws {
    let clock = stage.runtime(named: "clock")
    let isUnderWay = Mutex(false)
    let alice = try await stage.client("alice", on: "phone") { backend in
      Self.endless(&backend) { isUnderWay.withLock { $0 = true } }
      backend.onRun = { receive in
        while !isUnderWay.withLock({ $0 }) { try await clock.sleep(for: .milliseconds(10)) }
        await receive(.signedOut(reason: "The session has ended."))
      }
    }
    alice.start()
    for await state in alice.connectionStates {
      if case .signedOut = state { break }
    }
    for await state in alice.catchUpStates where state != .fetching { break }
    #expect(alice.catchUpState != .fetching)
    await alice.close()
  }
}
