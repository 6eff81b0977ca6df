import Skein
import SkeinSimulation
import Synchronization

/// A participant whose calls a test may implement one by one. It records the calls in a shared transcript,
/// except `needsPreparation` and `modify`.
struct TestParticipant: SendParticipant {
  let name: String
  let transcript: Transcript
  var onContribute: (@Sendable (inout MessageDraft) -> Void)?
  var onIntercept: (@Sendable (inout MessageDraft) -> SendDecision)?
  var onPrepare: (@Sendable (inout MessageDraft) async throws -> Void)?
  var onModify: (@Sendable (SendFailure) -> SendFailure)?
  var preparationTimeout: Duration = .seconds(30)

  init(_ name: String, _ transcript: Transcript, _ fillIn: (inout TestParticipant) -> Void = { _ in }) {
    self.name = name
    self.transcript = transcript
    fillIn(&self)
  }

  func contribute(to draft: inout MessageDraft) {
    transcript.note("\(name) contributes to \(draft.text)")
    onContribute?(&draft)
  }
  func intercept(_ draft: inout MessageDraft) -> SendDecision {
    transcript.note("\(name) intercepts \(draft.text)")
    return onIntercept?(&draft) ?? .proceed
  }
  func willSend(_ draft: MessageDraft) { transcript.note("\(name) hears that \(draft.text) will be sent") }
  func needsPreparation(_ draft: MessageDraft) -> Bool { onPrepare != nil }
  func prepare(_ draft: inout MessageDraft) async throws {
    transcript.note("\(name) prepares \(draft.text)")
    try await onPrepare?(&draft)
  }
  func modify(_ failure: SendFailure, of message: ChatMessage) -> SendFailure {
    onModify?(failure) ?? failure
  }
  func didEnd(_ message: ChatMessage, as end: SendState) {
    let (text, status) = (message.content.displayedText, message.status)
    switch end {
    case .sent: transcript.note("\(name) hears that \(text) was sent (\(status))")
    case .failed(let failure): transcript.note("\(name) hears that \(text) failed (\(status)): \(failure)")
    case .uncertain: transcript.note("\(name) hears that \(text) is uncertain (\(status))")
    case .cancelled: transcript.note("\(name) hears that \(text) was cancelled")
    default: transcript.note("\(name) hears of no end: \(end)")
    }
  }
}

/// The events of a test, in order.
final class Transcript: Sendable {
  private let kept = Mutex<[String]>([])

  func note(_ line: String) { kept.withLock { $0.append(line) } }

  var lines: [String] { kept.withLock { $0 } }

  func lines(with words: String) -> [String] { lines.filter { $0.contains(words) } }

  /// The lines noted since the last call.
  func take() -> [String] {
    kept.withLock { lines in
      defer { lines = [] }
      return lines
    }
  }
}

extension MessageDraft {
  var text: String { content.displayedText }
}

extension SimulatedStage {
  /// A client with participants.
  func client(
    _ user: UserID, on device: String, with participants: [any SendParticipant],
    altering alter: (inout AlteredBackend) -> Void = { _ in }
  ) async throws -> ChatClient {
    var options = ChatOptions()
    options.sendParticipants = participants
    return try await client(user, on: device, options: options, altering: alter)
  }
}

extension SentMessage {
  /// The final state of the message.
  var end: SendState {
    get async throws {
      for await state in progress where state.isEnd { return state }
      throw Unexpected(what: "no end")
    }
  }
}
