import Foundation
import SkeinWire
import Testing

@testable import SkeinServer

struct PokesTests {
  private let session = SessionID(rawValue: Data([1]))

  @Test("Pokes that nobody took yet are one")
  func coalesced() async {
    let pokes = Pokes()
    let listener = pokes.listen("ann", session: session)
    for _ in 0..<1000 { pokes.poke(["ann", "bo"]) }
    var next = listener.pokes.makeAsyncIterator()
    #expect(await next.next() != nil)
    pokes.stop(listener, at: 0)
    #expect(await next.next() == nil)
    #expect(pokes.count == 0)
  }

  @Test("Signing out ends that session's listeners and no others")
  func signOut() async {
    let pokes = Pokes(), other = SessionID(rawValue: Data([2]))
    let one = pokes.listen("ann", session: session), two = pokes.listen("ann", session: other)
    pokes.signOut("ann", session)
    for await _ in one.session {}
    pokes.poke(["ann"])
    var next = two.pokes.makeAsyncIterator()
    #expect(await next.next() != nil)
    #expect(pokes.count == 2)
    pokes.stop(one, at: 0)
    pokes.stop(two, at: 0)
  }

  @Test("Who may see each other hear who comes and goes, the latest of each, and nobody else does")
  func presence() {
    let pokes = Pokes(), other = SessionID(rawValue: Data([2]))
    let ann = pokes.listen("ann", session: session)
    pokes.acquaint("ann", with: ["bob"])
    #expect(pokes.takePresences(of: ann) == [])
    let bob = pokes.listen("bob", session: other)
    pokes.acquaint("bob", with: ["ann"])
    let eve = pokes.listen("eve", session: other)
    #expect(pokes.takePresences(of: bob) == [Wire.PresenceFrame(user: "ann", isOnline: true)])
    // The last device that goes may be one that nobody was acquainted with.
    let tablet = pokes.listen("bob", session: other)
    pokes.stop(bob, at: 5)
    #expect(pokes.takePresences(of: ann) == [Wire.PresenceFrame(user: "bob", isOnline: true)])
    pokes.stop(tablet, at: 7)
    #expect(pokes.takePresences(of: ann) == [Wire.PresenceFrame(user: "bob", isOnline: false, lastSeen: 7)])
    #expect(pokes.takePresences(of: ann) == [])
    #expect(pokes.takePresences(of: eve) == [])
    pokes.acquaint("eve", with: ["ann", "zoe"])
    #expect(pokes.takePresences(of: eve) == [Wire.PresenceFrame(user: "ann", isOnline: true)])
    #expect(pokes.takePresences(of: ann) == [Wire.PresenceFrame(user: "eve", isOnline: true)])
    pokes.stop(ann, at: 9)
    #expect(pokes.takePresences(of: eve) == [Wire.PresenceFrame(user: "ann", isOnline: false, lastSeen: 9)])
  }
}
