import Skein
import Testing

@Suite("The table of sends that wait for their ACK")
struct AckTableTests {
  @Test("Each ACK completes its own send, whatever the order of the ACKs")
  func order() {
    var table = AckTable<String>()
    let first = table.added("a", deadline: .seconds(10)), second = table.added("b", deadline: .seconds(11))
    #expect(table.nextDeadline == .seconds(10))
    #expect(table.acknowledged("b") == .awaited([second]))
    #expect(table.nextDeadline == .seconds(10))
    #expect(table.acknowledged("a") == .awaited([first]))
    #expect(table.nextDeadline == nil)
    #expect(table.isEmpty)
  }

  @Test("Duplicate, late and foreign ACKs complete no send, and the table tells them apart")
  func strays() {
    var table = AckTable<String>()
    _ = table.added("answered", deadline: .seconds(10))
    _ = table.acknowledged("answered")
    let late = table.added("late", deadline: .seconds(10))
    #expect(table.expired(at: .seconds(10)) == [late])
    let cancelled = table.added("cancelled", deadline: .seconds(20))
    table.cancelled(cancelled)
    #expect(table.acknowledged("answered") == .double)
    #expect(table.acknowledged("late") == .late)
    #expect(table.acknowledged("cancelled") == .late)
    #expect(table.acknowledged("never") == .foreign)
  }

  @Test("Each send has its own deadline, and expired sends are returned oldest first")
  func deadlines() {
    var table = AckTable<String>()
    let slow = table.added("slow", deadline: .seconds(30))
    let quick = table.added("quick", deadline: .seconds(5))
    let middle = table.added("middle", deadline: .seconds(10))
    #expect(table.nextDeadline == .seconds(5))
    #expect(table.expired(at: .seconds(4)).isEmpty)
    #expect(table.expired(at: .seconds(5)) == [quick])
    #expect(table.nextDeadline == .seconds(10))
    #expect(table.expired(at: .seconds(60)) == [slow, middle])
    #expect(table.expired(at: .seconds(90)).isEmpty)
  }

  @Test("Two sends of one key are answered by one ACK")
  func sameKey() {
    var table = AckTable<String>()
    let first = table.added("a", deadline: .seconds(10)), second = table.added("a", deadline: .seconds(20))
    #expect(table.acknowledged("a") == .awaited([first, second]))
    #expect(table.acknowledged("a") == .double)
  }

  @Test("When one of two sends of a key has given up, the ACK completes the other")
  func sameKeyExpired() {
    var table = AckTable<String>()
    let first = table.added("a", deadline: .seconds(10)), second = table.added("a", deadline: .seconds(20))
    #expect(table.expired(at: .seconds(15)) == [first])
    #expect(table.acknowledged("a") == .awaited([second]))
    #expect(table.acknowledged("a") == .double)
  }

  @Test("A key that has expired or has been acknowledged can be sent again, and then waits for a new ACK")
  func again() {
    var table = AckTable<String>()
    _ = table.added("a", deadline: .seconds(10))
    _ = table.expired(at: .seconds(10))
    let again = table.added("a", deadline: .seconds(20))
    #expect(table.acknowledged("a") == .awaited([again]))
    let third = table.added("a", deadline: .seconds(30))
    #expect(table.acknowledged("a") == .awaited([third]))
  }

  @Test("Closing the table returns every waiting send once")
  func closed() {
    var table = AckTable<String>()
    let first = table.added("a", deadline: .seconds(10)), second = table.added("b", deadline: .seconds(5))
    #expect(table.closed() == [first, second])
    #expect(table.closed().isEmpty)
    #expect(table.nextDeadline == nil)
    #expect(table.acknowledged("a") == .late)
  }

  @Test("Cancelling a ticket after its ACK has arrived, even twice, changes nothing")
  func staleTicket() {
    var table = AckTable<String>()
    let first = table.added("a", deadline: .seconds(10)), second = table.added("b", deadline: .seconds(10))
    _ = table.acknowledged("a")
    table.cancelled(first)
    table.cancelled(first)
    #expect(table.acknowledged("a") == .double)
    #expect(table.acknowledged("b") == .awaited([second]))
  }

  @Test("Of the completed keys, the table remembers only a limited number of the newest ones")
  func memory() {
    var table = AckTable<Int>(remembering: 2)
    for key in 1...3 {
      _ = table.added(key, deadline: .seconds(1))
      _ = table.acknowledged(key)
    }
    #expect(table.acknowledged(1) == .foreign)
    #expect(table.acknowledged(2) == .double)
    #expect(table.acknowledged(3) == .double)
  }
}
