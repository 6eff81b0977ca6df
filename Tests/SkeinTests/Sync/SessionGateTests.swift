import Testing

@testable import Skein

@Suite("The session gate")
struct SessionGateTests {
  private let refusal = BackendError(.unauthorized, "The token has expired.")

  private func answer(_ gate: inout SessionGate, in generation: Int) -> String {
    switch gate.refused(in: generation, refusal) {
    case .again: "again"
    case .renew: "renew"
    case .wait(let attempt): "wait \(attempt)"
    case .over(let error): "over: \(error.message)"
    }
  }

  @Test("One call renews the session, the others wait, and rejected calls are repeated")
  func renews() {
    var gate = SessionGate(canRenew: true)
    #expect(answer(&gate, in: 0) == "renew")
    #expect(answer(&gate, in: 0) == "wait 0")
    gate.renewed(nil)
    #expect(gate.standing == SessionGate.Standing(attempts: 1, isOver: false))
    #expect(answer(&gate, in: 0) == "again")
    gate.accepted(in: 1)
    #expect(answer(&gate, in: 1) == "renew")
  }

  @Test("A renewal that fails or is abandoned is left to the next call")
  func fails() {
    var gate = SessionGate(canRenew: true)
    #expect(answer(&gate, in: 0) == "renew")
    gate.renewed(BackendError(.unreachable, "Away."))
    #expect(gate.failure?.code == .unreachable && gate.generation == 0)
    #expect(answer(&gate, in: 0) == "renew")
    gate.gaveUp()
    #expect(gate.failure == nil)
    #expect(answer(&gate, in: 0) == "renew")
  }

  @Test(
    "A session that can't be renewed, or is rejected after three renewals, is over until the next start"
  )
  func over() {
    var gate = SessionGate(canRenew: true)
    for generation in 0..<3 {
      #expect(answer(&gate, in: generation) == "renew")
      gate.renewed(nil)
      gate.accepted(in: generation)
    }
    #expect(answer(&gate, in: 3) == "over: The token has expired.")
    #expect(answer(&gate, in: 0) == "over: The token has expired.")
    gate.started()
    #expect(answer(&gate, in: 3) == "renew")
    gate.renewed(BackendError(.unauthorized, "Sign in."))
    #expect(answer(&gate, in: 3) == "over: Sign in.")

    var plain = SessionGate(canRenew: false)
    #expect(answer(&plain, in: 0) == "over: The token has expired.")
    #expect(plain.standing.isOver)
  }

  @Test("The first reason for the end of a session is kept")
  func ending() {
    var gate = SessionGate(canRenew: true)
    gate.end(BackendError(.unauthorized, "You signed in elsewhere."))
    gate.end(refusal)
    #expect(answer(&gate, in: 0) == "over: You signed in elsewhere.")
  }
}
