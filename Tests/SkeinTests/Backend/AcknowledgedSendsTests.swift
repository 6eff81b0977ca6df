import Testing

@testable import Skein

@Suite("Sends that wait for their ACK")
struct AcknowledgedSendsTests {
  private typealias Sends = AcknowledgedSends<String>
  private let receipt = SendReceipt(serverID: ServerMessageID(rawValue: "s"), position: Position(rawValue: 7))
  private struct Ended: Error {}

  /// Whether a send ends because its ACK did not come in time.
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

  @Test("A send returns with the receipt of its ACK, even one that overtakes its transmission")
  func answered() async {
    let failures = await SimulatedRun.play { [receipt] stage in
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
      try expect(early == receipt && later == receipt, "another receipt")
      try expect(runtime.uptime() == .seconds(9), "it waited for something else")
      try expect(sends.isIdle, "something is left")
    }
    #expect(failures == [])
  }

  @Test("Every send ends at its own deadline, also while it is still being transmitted")
  func deadlines() async {
    let failures = await SimulatedRun.play { stage in
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
      try expect(ends == [.seconds(10), .seconds(20), .seconds(30)], "\(ends)")
      try expect(sends.isIdle, "something is left")
    }
    #expect(failures == [])
  }

  @Test("A late, double or foreign ACK changes nothing for those who wait")
  func strays() async {
    let failures = await SimulatedRun.play { [receipt] stage in
      let runtime = stage.runtime(named: "app")
      let sends = Sends(runtime)
      try expect(await missed { try await sends.send("late", within: .seconds(1)) {} }, "no miss")
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
      try expect(got == receipt, "another receipt")
    }
    #expect(failures == [])
  }

  @Test("Two sends of one key both get the one answer")
  func twice() async {
    let failures = await SimulatedRun.play { [receipt] stage in
      let sends = Sends(stage.runtime(named: "app"))
      async let first = sends.send("a", within: .seconds(10)) { stage.world.note("transmitted") }
      async let second = sends.send("a", within: .seconds(10)) { stage.world.note("transmitted") }
      let runtime = stage.runtime(named: "server")
      runtime.spawn {
        try await runtime.sleep(for: .seconds(1))
        sends.acknowledge("a", receipt)
      }
      let receipts = try await [first, second]
      try expect(receipts == [receipt, receipt], "another receipt")
      try expect(stage.world.trace.count == 2, "not transmitted twice")
      try expect(sends.isIdle, "something is left")
    }
    #expect(failures == [])
  }

  @Test("A cancelled send ends at once and leaves nothing behind")
  func cancelled() async {
    let failures = await SimulatedRun.play { [receipt] stage in
      let runtime = stage.runtime(named: "app")
      let sends = Sends(runtime)
      let send = runtime.spawn { try await sends.send("a", within: .seconds(10)) {} }
      try await runtime.sleep(for: .seconds(1))
      send.cancel()
      var isCancelled = false
      do { _ = try await send.value } catch is CancellationError { isCancelled = true }
      try expect(isCancelled && runtime.uptime() == .seconds(1), "it went on")
      try expect(sends.isIdle, "something is left")
      try expect(sends.acknowledge("a", receipt) == .late, "not known as late")

      let early = runtime.spawn { try await sends.send("b", within: .seconds(10)) {} }
      early.cancel()
      _ = await early.result
      try expect(sends.isIdle, "something is left of the second")
    }
    #expect(failures == [])
  }

  @Test("A transmission that fails is the send's failure; a refusal is, too")
  func failures() async {
    let failures = await SimulatedRun.play { stage in
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
      try expect(seen == ["ended", "refused"], "\(seen)")
      try expect(sends.isIdle, "something is left")
    }
    #expect(failures == [])
  }

  @Test("A connection that ends fails what waits and what comes after, with its first reason")
  func closed() async {
    let failures = await SimulatedRun.play { stage in
      let runtime = stage.runtime(named: "app")
      let sends = Sends(runtime)
      let waiting = runtime.spawn { try await sends.send("a", within: .seconds(10)) {} }
      try await runtime.sleep(for: .seconds(1))
      sends.close(Ended())
      sends.close(CancellationError())
      var count = 0
      do { _ = try await waiting.value } catch is Ended { count += 1 }
      do { _ = try await sends.send("b", within: .seconds(10)) {} } catch is Ended { count += 1 }
      try expect(count == 2, "it went on")
      try expect(sends.isIdle && runtime.uptime() == .seconds(1), "something is left")
    }
    #expect(failures == [])
  }
}
