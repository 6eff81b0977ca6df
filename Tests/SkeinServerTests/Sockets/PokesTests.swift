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
    pokes.stop(listener)
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
    pokes.stop(one)
    pokes.stop(two)
  }
}
