import SkeinTesting
import Testing

@Suite("The checks of the contract notice")
struct FaultTests {
  @Test("Every rule that a backend breaks is noticed by the checks that are about it", arguments: Fault.all)
  func noticed(_ fault: Fault) async throws {
    for sentence in fault.caughtBy {
      let checks = BackendCheck.all.filter { $0.name.hasPrefix(sentence) }
      let check = try #require(checks.count == 1 ? checks.first : nil, "\(sentence) begins \(checks.count) checks")
      // What does not come is not waited for long; anything else fails before it could be late.
      let limit: Duration = fault.hangs ? .seconds(1) : .seconds(60)
      await #expect(throws: ConformanceFailure.self, "\(check)") {
        try await check.run(on: FaultyServer(fault), within: limit)
      }
    }
  }

  @Test("No check fails without a fault", arguments: BackendCheck.all)
  func faultless(_ check: BackendCheck) async throws {
    let outcome = try await check.run(on: FaultyServer(Fault(description: "None", caughtBy: [])))
    #expect(outcome == .passed)
  }

  @Test("Every check is shown to notice something")
  func complete() {
    let idle = BackendCheck.all.filter { check in
      !Fault.all.contains { $0.caughtBy.contains { check.name.hasPrefix($0) } }
    }
    #expect(idle.map(\.name) == [])
  }

  @Test("Every sentence of the contract stands once")
  func unique() {
    #expect(Set(BackendCheck.all.map(\.name)).count == BackendCheck.all.count)
    #expect(Set(BackendCheck.all.map(\.part)).count == BackendCheck.Part.allCases.count)
  }
}
