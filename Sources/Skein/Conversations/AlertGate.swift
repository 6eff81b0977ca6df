/// Decides what of a batch people are told of, and whether it sounds.
struct AlertGate: Sendable {
  /// What is to be known of one conversation's part of a batch.
  struct Candidate: Sendable, Equatable {
    let conversation: ConversationID
    let isMuted: Bool
    let isMention: Bool
  }
  /// The conversations to tell of, and whether that sounds.
  struct Decision: Sendable, Equatable {
    let conversations: [ConversationID]
    let sounds: Bool
  }

  private let burst: Duration
  private var lastSound: Duration?
  /// The chat that somebody looks at.
  var active: ConversationID?

  init(burst: Duration) { self.burst = burst }

  /// Messages have come; nil where nobody is to be told.
  ///
  /// - Parameter isInBackground: whether nobody looks at the app, and so at no chat.
  mutating func came(_ candidates: [Candidate], isInBackground: Bool, isQuiet: Bool, at now: Duration)
    -> Decision?
  {
    let heard = candidates.filter { candidate in
      // Who is called is told in a muted chat as well.
      (!candidate.isMuted || candidate.isMention) && (isInBackground || candidate.conversation != active)
    }
    if heard.isEmpty { return nil }
    let isBurst = lastSound.map { now - $0 < burst } ?? false
    let sounds = !isQuiet && !isBurst
    if sounds { lastSound = now }
    return Decision(conversations: heard.map(\.conversation), sounds: sounds)
  }
}
