import Skein
import Testing

@testable import SkeinCommand

@Suite("Trouble with catching up is told once")
struct SyncFollowerTests {
  @Test("A reason is told when it is new, and so is that all is well again")
  func transcript() {
    var follower = SyncFollower()
    #expect(follower.apply(.waiting) == nil)
    #expect(follower.apply(.fetching) == nil)
    #expect(follower.apply(.failed(reason: "A.")) == .failed(reason: "A."))
    #expect(follower.apply(.fetching) == nil)
    #expect(follower.apply(.failed(reason: "A.")) == nil)
    #expect(follower.apply(.failed(reason: "B.")) == .failed(reason: "B."))
    #expect(follower.apply(.fetching) == nil)
    #expect(follower.apply(.caughtUp) == .caughtUp)
    #expect(follower.apply(.fetching) == nil)
    #expect(follower.apply(.caughtUp) == nil)
    #expect(follower.apply(.failed(reason: "B.")) == .failed(reason: "B."))
  }

  @Test("A person hears of trouble and of its end, a script of both and of the first success")
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
