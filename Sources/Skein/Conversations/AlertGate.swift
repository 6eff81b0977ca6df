/// Decides which conversations of a batch cause an alert, and whether the alert makes a sound.
struct AlertGate: Sendable {
  /// A conversation with received messages, which may cause an alert.
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
  /// The chat that is open in the app; nil if none is open.
  var active: ConversationID?

  init(burst: Duration) { self.burst = burst }

  /// Decides about received messages. Returns nil if there is no alert.
  ///
  /// - Parameter isInBackground: whether the app is in the background, where the open chat is not visible.
  mutating func came(_ candidates: [Candidate], isInBackground: Bool, isQuiet: Bool, at now: Duration)
    -> Decision?
  {
    let heard = candidates.filter { candidate in
      // A muted chat alerts only if this account is mentioned.
      (!candidate.isMuted || candidate.isMention) && (isInBackground || candidate.conversation != active)
    }
    if heard.isEmpty { return nil }
    let isBurst = lastSound.map { now - $0 < burst } ?? false
    let sounds = !isQuiet && !isBurst
    if sounds { lastSound = now }
    return Decision(conversations: heard.map(\.conversation), sounds: sounds)
  }
}
