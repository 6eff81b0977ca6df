import Testing

@testable import Skein

@Suite("The catch-up gate")
struct CatchUpGateTests {
  @Test("Nothing is fetched before the gate opens, and one fetch starts when it opens")
  func opening() {
    var gate = CatchUpGate()
    gate.poked()
    #expect(gate.next(at: .zero) == .rest)
    gate.opened()
    #expect(gate.next(at: .zero) == .fetch)
    #expect(gate.next(at: .zero) == .rest)
  }

  @Test("A new start fetches at once, however long the delay after the last failure")
  func openingAgain() {
    var gate = CatchUpGate()
    gate.opened()
    #expect(gate.next(at: .zero) == .fetch)
    gate.failed(at: .zero, retryAfter: .seconds(60), random: 0)
    gate.closed()
    gate.opened()
    #expect(gate.next(at: .seconds(1)) == .fetch)
  }

  @Test("Ten pokes during a fetch cause only one more fetch")
  func pokesDuringFetch() {
    var gate = CatchUpGate()
    gate.opened()
    #expect(gate.next(at: .zero) == .fetch)
    for _ in 0..<10 { gate.poked() }
    #expect(gate.next(at: .zero) == .rest)
    gate.fetched(at: .seconds(1), hasMore: false)
    #expect(gate.next(at: .seconds(1)) == .fetch)
    gate.fetched(at: .seconds(2), hasMore: false)
    #expect(gate.next(at: .seconds(2)) == .wait(until: .seconds(47)))
  }

  @Test("If the server has more, the next fetch follows at once")
  func hasMore() {
    var gate = CatchUpGate()
    gate.opened()
    _ = gate.next(at: .zero)
    gate.fetched(at: .zero, hasMore: true)
    #expect(gate.next(at: .zero) == .fetch)
  }

  @Test("The timer makes up for a lost push, and is restarted by a successful fetch")
  func timer() {
    var gate = CatchUpGate(interval: .seconds(45))
    gate.opened()
    _ = gate.next(at: .zero)
    gate.fetched(at: .seconds(10), hasMore: false)
    #expect(gate.next(at: .seconds(54)) == .wait(until: .seconds(55)))
    #expect(gate.next(at: .seconds(55)) == .fetch)
  }

  @Test("A push restarts the timer")
  func pushed() {
    var gate = CatchUpGate(interval: .seconds(45))
    gate.opened()
    _ = gate.next(at: .zero)
    gate.fetched(at: .zero, hasMore: false)
    gate.pushed(at: .seconds(40))
    #expect(gate.next(at: .seconds(45)) == .wait(until: .seconds(85)))
    #expect(gate.next(at: .seconds(85)) == .fetch)
  }

  @Test("The delay after a failed fetch is ended by a new connection and not by pokes")
  func failure() {
    var gate = CatchUpGate()
    gate.opened()
    _ = gate.next(at: .zero)
    gate.failed(at: .zero, retryAfter: .seconds(5), random: 0)
    gate.poked()
    #expect(gate.next(at: .zero) == .wait(until: .seconds(5)))
    gate.connected()
    #expect(gate.next(at: .zero) == .fetch)
  }

  @Test(
    "In the background the timer rests but a poke still fetches; a return to the foreground fetches at once"
  )
  func background() {
    var gate = CatchUpGate(interval: .seconds(45))
    gate.opened()
    gate.moved(toBackground: true)
    #expect(gate.next(at: .zero) == .fetch)
    gate.fetched(at: .zero, hasMore: false)
    #expect(gate.next(at: .seconds(100)) == .rest)
    gate.poked()
    #expect(gate.next(at: .seconds(100)) == .fetch)
    gate.failed(at: .seconds(100), retryAfter: .seconds(60), random: 0)
    #expect(gate.next(at: .seconds(100)) == .wait(until: .seconds(160)))
    gate.moved(toBackground: true)
    #expect(gate.next(at: .seconds(101)) == .wait(until: .seconds(160)))
    gate.moved(toBackground: false)
    #expect(gate.next(at: .seconds(101)) == .fetch)
    gate.fetched(at: .seconds(101), hasMore: false)
    #expect(gate.next(at: .seconds(101)) == .wait(until: .seconds(146)))
  }
}
