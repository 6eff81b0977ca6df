import Testing

@testable import Skein

@Suite("The launch gate")
struct LaunchGateTests {
  @Test("The catch-up waits for the contact diff, and changes are withheld until the catch-up ends")
  func contactsFirst() {
    var gate = LaunchGate()
    #expect(!gate.isLocked)
    gate.started(at: .seconds(5), waitsForContacts: true)
    #expect(gate.isLocked)
    #expect(gate.mustWait(at: .seconds(6)) == .seconds(15))
    gate.contactsCame()
    #expect(gate.mustWait(at: .seconds(6)) == nil)
    #expect(gate.isLocked)
    let wasWithheld = gate.ended()
    #expect(wasWithheld && !gate.isLocked)
    let isWithheldAgain = gate.ended()
    #expect(!isWithheldAgain)
  }

  @Test("After ten seconds the catch-up goes on without the contact diff")
  func patience() {
    var gate = LaunchGate()
    gate.started(at: .zero, waitsForContacts: true)
    #expect(gate.mustWait(at: .seconds(9)) == .seconds(10))
    #expect(gate.mustWait(at: .seconds(10)) == nil)
    _ = gate.ended()
    gate.contactsCame()
    #expect(!gate.isLocked)
  }

  @Test("Without a contact list, the catch-up starts at once")
  func withoutContacts() {
    var gate = LaunchGate()
    gate.started(at: .zero, waitsForContacts: false)
    #expect(gate.mustWait(at: .zero) == nil)
    #expect(gate.isLocked)
  }

  @Test("Each start resets the gate")
  func secondStart() {
    var gate = LaunchGate()
    gate.started(at: .zero, waitsForContacts: true)
    _ = gate.ended()
    gate.started(at: .seconds(100), waitsForContacts: true)
    #expect(gate.isLocked)
    #expect(gate.mustWait(at: .seconds(100)) == .seconds(110))
  }
}
