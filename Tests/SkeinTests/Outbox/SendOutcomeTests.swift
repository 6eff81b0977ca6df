import SkeinStorage
import Testing

@testable import Skein

@Suite("The outcome of a failed attempt")
struct SendOutcomeTests {
  struct Odd: Error {}

  func outcome(_ error: any Error, canSettle: Bool = true) -> String {
    "\(SendOutcome(of: error, canSettle: canSettle))"
  }

  @Test("An attempt with an unknown outcome is repeated if the outcome can be resolved")
  func repeated() {
    let error = BackendError(.transient, "No answer.", outcomeIsUnknown: true)
    #expect(outcome(error).hasPrefix("tryAgain"))
    #expect(outcome(Odd()).hasPrefix("tryAgain"))
  }

  @Test("A message is uncertain if the unknown outcome of its attempt can't be resolved")
  func uncertain() {
    let error = BackendError(.unreachable, "Cut off.", outcomeIsUnknown: true)
    #expect(outcome(error, canSettle: false).contains("uncertain"))
    #expect(
      outcome(InconclusiveFailure(cause: error, mayHaveArrived: false), canSettle: false).hasPrefix(
        "waitForConnection"))
    #expect(
      outcome(BackendError(.unreachable, "Never left."), canSettle: false).hasPrefix("waitForConnection"))
  }

  @Test("A refusal is final, an error of the engine is not")
  func refusal() {
    #expect(outcome(BackendError(.permanent, "Too long.")).contains("refused"))
    #expect(outcome(ChatError(.messageUnknown, "")).hasPrefix("tryAgain"))
  }

  @Test(
    "After a refusal, a message that may have arrived before is uncertain",
    arguments: [BackendError(.permanent, "No."), SendFailure(.refused, "No.")] as [any Error])
  func refusedAgain(_ error: any Error) {
    #expect(!outcome(error).contains("uncertain"))
    #expect(outcome(InconclusiveFailure(cause: error, mayHaveArrived: true)).contains("uncertain"))
    #expect(!outcome(InconclusiveFailure(cause: error, mayHaveArrived: false)).contains("uncertain"))
  }

  @Test("A message is uncertain if the refusal itself leaves the outcome open")
  func openRefusal() {
    #expect(outcome(BackendError(.permanent, "No.", outcomeIsUnknown: true)).contains("uncertain"))
  }

  @Test("An unknown code counts as transient")
  func unknownCode() {
    #expect(outcome(BackendError(.init(rawValue: "fromTheFuture"), "?")).hasPrefix("tryAgain"))
  }

  @Test("A rate limit does not count against the message, another transient failure does")
  func patience() {
    #expect(outcome(BackendError(.rateLimited, "Slowly.")).contains("blames: false"))
    #expect(outcome(BackendError(.transient, "Broken.")).contains("blames: true"))
  }
}
