import Testing

@testable import Skein

@Suite("Listening to a list")
struct ListUpdatesTests {
  typealias Item = ChatDataManagerTests.Item

  @Test("A late listener receives the current list first, then only newer changes")
  func lateListener() async throws {
    let publisher = ListPublisher<Item>()
    var list = ChatDataManagerTests.makeList()
    publisher.publish(list.insert([Item(id: 1, rank: 1), Item(id: 2, rank: 2)]), list.snapshot)
    var updates = publisher.updates(of: publisher).makeAsyncIterator()
    publisher.publish(list.insert([Item(id: 3, rank: 3)]), list.snapshot)

    let first = try #require(await updates.next())
    #expect(first.change.insertions == [0, 1])
    #expect(first.snapshot.count == 2)
    let second = try #require(await updates.next())
    #expect(second.change.insertions == [2])
  }

  @Test(
    "A listener that falls far behind receives the changes that it missed as one step to the current list")
  func slowListener() async throws {
    let publisher = ListPublisher<Item>()
    var list = ChatDataManagerTests.makeList()
    var updates = publisher.updates(of: publisher).makeAsyncIterator()
    for number in 0..<5_000 {
      let change = list.apply(inserting: [Item(id: number, rank: -number)], deleting: [number - 50])
      publisher.publish(change, list.snapshot)
    }
    var copy: [Item] = []
    var received = 0
    while copy != Array(list.snapshot) {
      let update = try #require(await updates.next())
      update.change.apply(to: &copy, from: update.snapshot)
      #expect(copy == Array(update.snapshot))
      received += 1
    }
    #expect(received < 600)
  }

  @Test("Listening ends when the list's owner closes it or the listener's task is cancelled")
  func ending() async {
    let publisher = ListPublisher<Item>()
    let listening = Task {
      var count = 0
      for await _ in publisher.updates(of: publisher) { count += 1 }
      return count
    }
    listening.cancel()
    #expect(await listening.value <= 1)
    publisher.close()
    var late = publisher.updates(of: publisher).makeAsyncIterator()
    #expect(await late.next()?.snapshot.isEmpty == true)
    #expect(await late.next() == nil)
  }
}
