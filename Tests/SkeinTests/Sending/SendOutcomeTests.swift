import SkeinStorage
import Testing

@testable import Skein

@Suite("The outcome of a failed attempt")
struct SendOutcomeTests {
  struct Odd: Error {}

  func outcome(_ error: any Error, canSettle: Bool = true) -> String {
    "\(SendOutcome(of: error, canSettle: canSettle))"
  }

  @Test("An unknown outcome that can be resolved is tried again")
  func repeated() {
    let error = BackendError(.transient, "No answer.", outcomeIsUnknown: true)
    #expect(outcome(error).hasPrefix("tryAgain"))
    #expect(outcome(Odd()).hasPrefix("tryAgain"))
  }

  @Test("An unknown outcome that can't be resolved is shown, and repeated only on request")
  func uncertain() {
    let error = BackendError(.unreachable, "Cut off.", outcomeIsUnknown: true)
    #expect(outcome(error, canSettle: false).contains("uncertain"))
    #expect(
      outcome(InconclusiveFailure(cause: error, mayHaveArrived: false), canSettle: false).hasPrefix(
        "waitForConnection"))
    #expect(
      outcome(BackendError(.unreachable, "Never left."), canSettle: false).hasPrefix("waitForConnection"))
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

  @Test("A delay that the server requests does not count against the message")
  func patience() {
    #expect(outcome(BackendError(.rateLimited, "Slowly.")).contains("blames: false"))
    #expect(outcome(BackendError(.transient, "Broken.")).contains("blames: true"))
  }
}
