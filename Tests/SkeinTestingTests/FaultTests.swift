import SkeinTesting
import Testing

@Suite("The checks of the contract", .serialized)
struct FaultTests {
  private func check(_ sentence: String) throws -> BackendCheck {
    let checks = BackendCheck.all.filter { $0.name.hasPrefix(sentence) }
    return try #require(
      checks.count == 1 ? checks.first : nil, "\(sentence) begins \(checks.count) sentences")
  }

  @Test(
    "A backend that breaks a rule fails the checks of that rule",
    arguments: Fault.all.filter { $0.vainWait == nil })
  func noticed(_ fault: Fault) async throws {
    for sentence in fault.caughtBy {
      let check = try check(sentence)
      let failure = await #expect(throws: ConformanceFailure.self, "\(check)") {
        for _ in 0..<fault.tries { try await check.run(on: FaultyServer(fault)) }
      }
      #expect(failure?.check == check.name)
      #expect(failure?.detail.contains("Not over within") == false)
    }
  }

  @Test(
    "A check that waits in vain fails, and the failure names the missing event or the endless call",
    arguments: Fault.all.filter { $0.vainWait != nil })
  func noticedLate(_ fault: Fault) async throws {
    for sentence in fault.caughtBy {
      let check = try check(sentence)
      // A busy machine may be too slow for a short limit: a check then names another step.
      var failure: ConformanceFailure?
      for seconds in [1, 4, 16, 60] {
        do {
          try await check.run(on: FaultyServer(fault), within: .seconds(seconds))
          break
        } catch let error as ConformanceFailure {
          failure = error
          if error.detail.contains(fault.vainWait ?? "") { break }
        }
      }
      #expect(
        failure?.detail.contains(fault.vainWait ?? "") == true, "\(check): \(failure?.detail ?? "passed")")
    }
  }

  @Test("A backend without a fault passes every check", arguments: BackendCheck.all)
  func faultless(_ check: BackendCheck) async throws {
    let outcome = try await check.run(on: FaultyServer(Fault(description: "None", caughtBy: [])))
    #expect(outcome == .passed)
  }

  @Test("Every check notices at least one fault")
  func complete() {
    let idle = BackendCheck.all.filter { check in
      !Fault.all.contains { $0.caughtBy.contains { check.name.hasPrefix($0) } }
    }
    #expect(idle.map(\.name) == [])
  }

  @Test("The sentences of the contract are unique, and every part of the contract has one")
  func unique() {
    #expect(Set(BackendCheck.all.map(\.name)).count == BackendCheck.all.count)
    #expect(Set(BackendCheck.all.map(\.part)).count == BackendCheck.Part.allCases.count)
  }
}
