import Testing

import SkeinSimulation
@testable import Skein

@Suite("Sends that wait for their ACK")
struct AcknowledgedSendsTests {
  private typealias Sends = AcknowledgedSends<String>
  private let receipt = SendReceipt(serverID: ServerMessageID(rawValue: "s"), position: Position(rawValue: 7))
  private struct Ended: Error {}

  /// Whether a send ends because no ACK arrived before its deadline.
  private func missed(_ send: () async throws -> SendReceipt) async -> Bool {
    do {
      _ = try await send()
      return false
    } catch let error as BackendError {
      return error.code == .transient && error.outcomeIsUnknown && error.cause is MissedAcknowledgement
    } catch {
      return false
    }
  }

  @Test(
    "A send returns with the receipt of its ACK, even if the ACK arrives before the transmission has ended",
    .simulated)
  func answered() async throws {
    let runtime = stage.runtime(named: "app")
    let sends = Sends(runtime)
    let early = try await sends.send("a", within: .seconds(10)) {
      sends.acknowledge("a", receipt)
      try await runtime.sleep(for: .seconds(60))
    }
    let later = try await sends.send("b", within: .seconds(10)) {
      runtime.spawn {
        try await runtime.sleep(for: .seconds(9))
        sends.acknowledge("b", receipt)
      }
    }
    #expect(early == receipt)
    #expect(later == receipt)
    #expect(runtime.uptime() == .seconds(9))
    #expect(sends.isIdle)
  }

  @Test(
    "Without an ACK, every send ends at its own deadline, even while it is still being transmitted",
    .simulated)
  func deadlines() async throws {
    let runtime = stage.runtime(named: "app")
    let sends = Sends(runtime)
    let ends = try await withThrowingTaskGroup(of: Duration?.self) { group in
      for seconds in [30, 10, 20] {
        group.addTask {
          let isMissed = await missed {
            try await sends.send("\(seconds)", within: .seconds(seconds)) {
              if seconds == 20 { try await runtime.sleep(for: .seconds(3600)) }
            }
          }
          return isMissed ? runtime.uptime() : nil
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(ends == [.seconds(10), .seconds(20), .seconds(30)])
    #expect(sends.isIdle)
  }

  @Test("A late, duplicate or foreign ACK changes nothing for waiting sends", .simulated)
  func strays() async throws {
    let runtime = stage.runtime(named: "app")
    let sends = Sends(runtime)
    #expect(await missed { try await sends.send("late", within: .seconds(1)) {} })
    let other = SendReceipt()
    let got = try await sends.send("a", within: .seconds(10)) {
      let answers = [
        sends.acknowledge("late", other), sends.acknowledge("never", other),
        sends.acknowledge("a", receipt),
        sends.acknowledge("a", other),
      ]
      guard answers[0] == .late, answers[1] == .foreign, answers[3] == .double else {
        throw Unexpected(what: "\(answers)")
      }
    }
    #expect(got == receipt)
  }

  @Test("Two sends with the same key both receive the one answer", .simulated)
  func twice() async throws {
    let sends = Sends(stage.runtime(named: "app"))
    async let first = sends.send("a", within: .seconds(10)) { stage.world.note("transmitted") }
    async let second = sends.send("a", within: .seconds(10)) { stage.world.note("transmitted") }
    let runtime = stage.runtime(named: "server")
    runtime.spawn {
      try await runtime.sleep(for: .seconds(1))
      sends.acknowledge("a", receipt)
    }
    let receipts = try await [first, second]
    #expect(receipts == [receipt, receipt])
    #expect(stage.world.trace.count == 2)
    #expect(sends.isIdle)
  }

  @Test("A cancelled send ends at once and leaves nothing behind", .simulated)
  func cancelled() async throws {
    let runtime = stage.runtime(named: "app")
    let sends = Sends(runtime)
    let send = runtime.spawn { try await sends.send("a", within: .seconds(10)) {} }
    try await runtime.sleep(for: .seconds(1))
    send.cancel()
    var isCancelled = false
    do { _ = try await send.value } catch is CancellationError { isCancelled = true }
    #expect(isCancelled)
    #expect(runtime.uptime() == .seconds(1))
    #expect(sends.isIdle)
    #expect(sends.acknowledge("a", receipt) == .late)

    let early = runtime.spawn { try await sends.send("b", within: .seconds(10)) {} }
    early.cancel()
    _ = await early.result
    #expect(sends.isIdle)
  }

  @Test("A failed transmission fails the send, and so does a refusal", .simulated)
  func failures() async throws {
    let sends = Sends(stage.runtime(named: "app"))
    var seen: [String] = []
    do {
      _ = try await sends.send("a", within: .seconds(10)) { throw Ended() }
    } catch is Ended { seen.append("ended") }
    do {
      _ = try await sends.send("b", within: .seconds(10)) {
        sends.refuse("b", BackendError(.permanent, "No."))
      }
    } catch let error as BackendError where error.code == .permanent { seen.append("refused") }
    #expect(seen == ["ended", "refused"])
    #expect(sends.isIdle)
  }

  @Test(
    "When a connection ends, waiting and later sends fail with the first reason given for its end", .simulated
  )
  func closed() async throws {
    let runtime = stage.runtime(named: "app")
    let sends = Sends(runtime)
    let waiting = runtime.spawn { try await sends.send("a", within: .seconds(10)) {} }
    try await runtime.sleep(for: .seconds(1))
    sends.close(Ended())
    sends.close(CancellationError())
    var count = 0
    do { _ = try await waiting.value } catch is Ended { count += 1 }
    do { _ = try await sends.send("b", within: .seconds(10)) {} } catch is Ended { count += 1 }
    #expect(count == 2)
    #expect(sends.isIdle)
    #expect(runtime.uptime() == .seconds(1))
  }
}
