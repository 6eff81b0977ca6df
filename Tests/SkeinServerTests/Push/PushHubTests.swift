import Foundation
import SkeinWire
import Testing

@testable import SkeinServer

struct PushHubTests {
  private let session = SessionID(rawValue: Data([1]))

  @Test("Pokes not yet read are coalesced into one")
  func coalesced() async {
    let pushHub = PushHub()
    let listener = pushHub.listen("ann", session: session)
    for _ in 0..<1000 { pushHub.poke(["ann", "bo"]) }
    var next = listener.pokes.makeAsyncIterator()
    #expect(await next.next() != nil)
    pushHub.stop(listener, at: 0)
    #expect(await next.next() == nil)
    #expect(pushHub.count == 0)
  }

  @Test("Signing out ends the listeners of that session only")
  func signOut() async {
    let pushHub = PushHub(), other = SessionID(rawValue: Data([2]))
    let one = pushHub.listen("ann", session: session), two = pushHub.listen("ann", session: other)
    pushHub.signOut("ann", session)
    for await _ in one.session {}
    pushHub.poke(["ann"])
    var next = two.pokes.makeAsyncIterator()
    #expect(await next.next() != nil)
    #expect(pushHub.count == 2)
    pushHub.stop(one, at: 0)
    pushHub.stop(two, at: 0)
  }

  @Test("A socket that opens later receives only the presence that is shared with it")
  func laterSocket() {
    let pushHub = PushHub(), other = SessionID(rawValue: Data([2]))
    let laptop = pushHub.listen("ann", session: session)
    pushHub.sharePresence(of: "ann", with: ["bob"])
    // Bob removes ann as a contact.
    let phone = pushHub.listen("ann", session: other)
    pushHub.sharePresence(of: "ann", with: [])
    let bob = pushHub.listen("bob", session: other)
    #expect(pushHub.drainPresences(of: laptop) == [Wire.PresenceFrame(user: "bob", isOnline: true)])
    pushHub.stop(bob, at: 5)
    #expect(pushHub.drainPresences(of: phone) == [])
  }

  @Test("Users who share their presence receive each other's latest state, and nobody else does")
  func presence() {
    let pushHub = PushHub(), other = SessionID(rawValue: Data([2]))
    let ann = pushHub.listen("ann", session: session)
    pushHub.sharePresence(of: "ann", with: ["bob"])
    #expect(pushHub.drainPresences(of: ann) == [])
    let bob = pushHub.listen("bob", session: other)
    pushHub.sharePresence(of: "bob", with: ["ann"])
    let eve = pushHub.listen("eve", session: other)
    #expect(pushHub.drainPresences(of: bob) == [Wire.PresenceFrame(user: "ann", isOnline: true)])
    // The last device to disconnect may have joined after the presence was shared.
    let tablet = pushHub.listen("bob", session: other)
    pushHub.stop(bob, at: 5)
    #expect(pushHub.drainPresences(of: ann) == [Wire.PresenceFrame(user: "bob", isOnline: true)])
    pushHub.stop(tablet, at: 7)
    #expect(
      pushHub.drainPresences(of: ann) == [Wire.PresenceFrame(user: "bob", isOnline: false, lastSeen: 7)])
    #expect(pushHub.drainPresences(of: ann) == [])
    #expect(pushHub.drainPresences(of: eve) == [])
    pushHub.sharePresence(of: "eve", with: ["ann", "zoe"])
    #expect(pushHub.drainPresences(of: eve) == [Wire.PresenceFrame(user: "ann", isOnline: true)])
    #expect(pushHub.drainPresences(of: ann) == [Wire.PresenceFrame(user: "eve", isOnline: true)])
    pushHub.stop(ann, at: 9)
    #expect(
      pushHub.drainPresences(of: eve) == [Wire.PresenceFrame(user: "ann", isOnline: false, lastSeen: 9)])
  }
}
