/// Decides which conversations of a batch cause an alert, and whether the alert makes a sound.
struct AlertGate: Sendable {
  /// The input about one conversation of a batch.
  struct Candidate: Sendable, Equatable {
    let conversation: ConversationID
    let isMuted: Bool
    let isMention: Bool
  }
  /// The conversations that cause an alert, and whether the alert makes a sound.
  struct Decision: Sendable, Equatable {
    let conversations: [ConversationID]
    let sounds: Bool
  }

  private let burst: Duration
  private var lastSound: Duration?
  /// The chat on screen.
  var active: ConversationID?

  init(burst: Duration) { self.burst = burst }

  /// Decides about received messages; nil if there is no alert.
  ///
  /// - Parameter isInBackground: whether the app is in the background, so that no chat is on screen.
  mutating func came(_ candidates: [Candidate], isInBackground: Bool, isQuiet: Bool, at now: Duration)
    -> Decision?
  {
    let heard = candidates.filter { candidate in
      // Messages that mention this account alert in a muted chat as well.
      (!candidate.isMuted || candidate.isMention) && (isInBackground || candidate.conversation != active)
    }
    if heard.isEmpty { return nil }
    let isBurst = lastSound.map { now - $0 < burst } ?? false
    let sounds = !isQuiet && !isBurst
    if sounds { lastSound = now }
    return Decision(conversations: heard.map(\.conversation), sounds: sounds)
  }
}
