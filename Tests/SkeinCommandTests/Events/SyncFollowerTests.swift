import Skein
import Testing

@testable import SkeinCommand

@Suite("Failures of catching up are reported once")
struct SyncFollowerTests {
  @Test("A new reason is reported, and so is success after a failure")
  func transcript() {
    var follower = SyncFollower()
    #expect(follower.apply(.waiting) == nil)
    #expect(follower.apply(.fetching) == nil)
    #expect(follower.apply(.failed(reason: FailureReason(.transient, "A."))) == .failed(reason: "A."))
    #expect(follower.apply(.fetching) == nil)
    #expect(follower.apply(.failed(reason: FailureReason(.transient, "A."))) == nil)
    #expect(follower.apply(.failed(reason: FailureReason(.transient, "B."))) == .failed(reason: "B."))
    #expect(follower.apply(.fetching) == nil)
    #expect(follower.apply(.caughtUp) == .caughtUp)
    #expect(follower.apply(.fetching) == nil)
    #expect(follower.apply(.caughtUp) == nil)
    #expect(follower.apply(.failed(reason: FailureReason(.transient, "B."))) == .failed(reason: "B."))
  }

  @Test("People are told of a success only after a failure, and scripts are also told of the first success")
  func surfaces() {
    var plain = PlainSurface(account: "alice")
    #expect(plain.text(for: .sync(.caughtUp)) == "")
    #expect(plain.text(for: .sync(.failed(reason: "It\u{1B} fails."))) == "-- not in sync: It␛ fails.\n")
    #expect(plain.text(for: .sync(.caughtUp)) == "-- in sync again\n")
    #expect(plain.text(for: .sync(.caughtUp)) == "")
    var json = JSONSurface()
    #expect(json.text(for: .sync(.caughtUp)) == #"{"event":"sync","state":"caughtUp"}"# + "\n")
    #expect(
      json.text(for: .sync(.failed(reason: "No."))) == #"{"event":"sync","reason":"No.","state":"failed"}"#
        + "\n")
  }
}
