import Testing

@testable import Skein

@Suite("The alert gate")
struct AlertGateTests {
  private func candidate(_ number: Int64, isMuted: Bool = false, isMention: Bool = false)
    -> AlertGate.Candidate
  {
    AlertGate.Candidate(
      conversation: ConversationID(rawValue: number), isMuted: isMuted, isMention: isMention)
  }

  private func conversations(_ decision: AlertGate.Decision?) -> [Int64] {
    decision?.conversations.map(\.rawValue) ?? []
  }

  @Test("Messages during a burst make one sound, and the first message after the burst sounds again")
  func burst() {
    var gate = AlertGate(burst: .seconds(3))
    let sounds = [0, 1, 2, 3, 4].map { second in
      gate.came([candidate(1)], isInBackground: false, isQuiet: false, at: .seconds(second))?.sounds
    }
    #expect(sounds == [true, false, false, true, false])
  }

  @Test("A muted chat alerts only for mentions, and the open chat does not alert in the foreground")
  func mutedAndActive() {
    var gate = AlertGate(burst: .seconds(3))
    gate.active = ConversationID(rawValue: 3)
    let batch = [
      candidate(1, isMuted: true), candidate(2, isMuted: true, isMention: true),
      candidate(3, isMention: true), candidate(4),
    ]
    let inFront = gate.came(batch, isInBackground: false, isQuiet: false, at: .zero)
    #expect(conversations(inFront) == [2, 4])
    let behind = gate.came(batch, isInBackground: true, isQuiet: false, at: .seconds(9))
    #expect(conversations(behind) == [2, 3, 4])
    let active = gate.came([candidate(3)], isInBackground: false, isQuiet: false, at: .seconds(20))
    let nothing = gate.came([], isInBackground: true, isQuiet: false, at: .seconds(30))
    #expect(active == nil && nothing == nil)
  }

  @Test("Alerts are silent during quiet hours and sound again afterwards")
  func quiet() {
    var gate = AlertGate(burst: .seconds(3))
    let quiet = gate.came([candidate(1)], isInBackground: true, isQuiet: true, at: .zero)
    let later = gate.came([candidate(1)], isInBackground: true, isQuiet: false, at: .seconds(1))
    #expect(quiet?.sounds == false && later?.sounds == true)
  }
}
