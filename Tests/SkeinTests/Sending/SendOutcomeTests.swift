import SkeinStorage
import Testing

@testable import Skein

@Suite("What becomes of a failed attempt")
struct SendOutcomeTests {
  struct Odd: Error {}

  func outcome(_ error: any Error, _ idempotency: BackendCapabilities.Idempotency = .forever) -> String {
    "\(SendOutcome(of: error, idempotency: idempotency))"
  }

  @Test("Where the server knows ids for ever, an unknown outcome is tried again")
  func repeated() {
    let error = BackendError(.transient, "No answer.", outcomeIsUnknown: true)
    #expect(outcome(error).hasPrefix("tryAgain"))
    #expect(outcome(Odd()).hasPrefix("tryAgain"))
  }

  @Test("Where it does not, an unknown outcome is shown and never repeated unasked")
  func uncertain() {
    let error = BackendError(.unreachable, "Cut off.", outcomeIsUnknown: true)
    #expect(outcome(error, .none).contains("uncertain"))
    #expect(outcome(error, .window(.seconds(60))).contains("uncertain"))
    #expect(outcome(BackendError(.unreachable, "Never left."), .none).hasPrefix("waitForConnection"))
  }

  @Test("A refusal is final, a full disk is not")
  func refusal() {
    #expect(outcome(BackendError(.permanent, "Too long.")).contains("refused"))
    #expect(outcome(ChatError(.messageUnknown, "")).hasPrefix("tryAgain"))
  }

  @Test("An unknown code counts as transient")
  func unknownCode() {
    #expect(outcome(BackendError(.init(rawValue: "fromTheFuture"), "?")).hasPrefix("tryAgain"))
  }
}
