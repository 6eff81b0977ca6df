import SkeinSimulation
import Testing

@testable import Skein

@Suite("The list in memory")
struct ChatDataManagerTests {
  struct Item: Identifiable, Equatable, Sendable {
    let id: Int
    var rank: Int
    var text = ""
  }

  static func makeList() -> ChatDataManager<Item> {
    ChatDataManager<Item>(sortedBy: { ($0.rank, $0.id) < ($1.rank, $1.id) })
  }

  @Test("Items are ordered and unique, however they are inserted")
  func order() {
    var list = Self.makeList()
    let change = list.insert([Item(id: 3, rank: 30), Item(id: 1, rank: 10), Item(id: 3, rank: 30)])
    #expect(list.snapshot.map(\.id) == [1, 3])
    #expect(change.insertions == [0, 1])
    #expect(list.insert([Item(id: 2, rank: 20)]).insertions == [1])
    #expect(list.insert([Item(id: 2, rank: 20)]).isEmpty)
  }

  @Test("A new value in the same place is an update")
  func update() {
    var list = Self.makeList()
    list.insert((1...5).map { Item(id: $0, rank: $0) })
    let change = list.update([Item(id: 3, rank: 3, text: "new"), Item(id: 9, rank: 9)])
    #expect(change.updates == [2])
    #expect(change.insertions.isEmpty && change.moves.isEmpty && change.deletions.isEmpty)
  }

  @Test("A message that gets its place from the server and stays last does not move")
  func acknowledgedInPlace() {
    var list = Self.makeList()
    list.insert([Item(id: 1, rank: 1), Item(id: 2, rank: 2), Item(id: 3, rank: 1_000)])
    let change = list.insert([Item(id: 3, rank: 3)])
    #expect(change.moves.isEmpty)
    #expect(change.updates == [2])
  }

  @Test("An item that passes others is moved")
  func move() {
    var list = Self.makeList()
    list.insert((1...5).map { Item(id: $0, rank: $0 * 10) })
    let change = list.insert([Item(id: 5, rank: 15)])
    #expect(change.moves == [ListChange.Move(from: 4, to: 1)])
    #expect(change.updates == [1])
    #expect(list.index(of: 5) == 1)
  }

  @Test("Deletions name the old indices, and an item both deleted and inserted stays")
  func deletion() {
    var list = Self.makeList()
    list.insert((1...5).map { Item(id: $0, rank: $0) })
    let change = list.apply(inserting: [Item(id: 2, rank: 2, text: "kept")], deleting: [2, 4, 4, 77])
    #expect(change.deletions == [3])
    #expect(change.updates == [1])
    #expect(list.removeAll().deletions == [0, 1, 2, 3])
    #expect(list.snapshot.isEmpty)
  }

  @Test(
    "Applying a change to the old list gives the new list, whatever has changed",
    arguments: 1...60 as ClosedRange<UInt64>)
  func exactness(seed: UInt64) {
    var generator = SplitMix(seed: seed)
    var list = Self.makeList()
    var copy: [Item] = []
    var model: [Int: Item] = [:]
    for step in 0..<200 {
      let new = (0..<Int.random(in: 0...8, using: &generator)).map { _ in
        Item(
          id: .random(in: 0..<60, using: &generator), rank: .random(in: 0..<40, using: &generator),
          text: .random(in: 0..<4, using: &generator) == 0 ? "\(step)" : "")
      }
      let gone = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
        Int.random(in: 0..<60, using: &generator)
      }
      let before = list.snapshot
      let change = list.apply(inserting: new, deleting: gone)

      for id in gone { model[id] = nil }
      for item in new { model[item.id] = item }
      let expected = model.values.sorted { ($0.rank, $0.id) < ($1.rank, $1.id) }
      #expect(Array(list.snapshot) == expected)
      change.apply(to: &copy, from: list.snapshot)
      #expect(copy == expected)

      var jumped = Array(before)
      ListChange(from: before, to: list.snapshot).apply(to: &jumped, from: list.snapshot)
      #expect(jumped == expected)
    }
  }
}
