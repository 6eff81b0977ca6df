import SkeinSimulation
import SkeinStorage
import Synchronization
import Testing

@testable import Skein

@Suite("Transactions that several lanes share")
struct SharedTransactionsTests {
  /// Opens chats at the same time, each as a change of its own, and returns the number of transactions.
  private func open(_ peers: [UserID], refusing refused: UserID? = nil, in store: ChatStore) async throws
    -> Int
  {
    let count = Mutex(0)
    let subscription = store.feed.subscribe { _ in count.withLock { $0 += 1 } }
    defer { store.feed.unsubscribe(subscription) }
    let transactions = SharedTransactions(store)
    let tasks = peers.map { peer in
      store.runtime.spawn {
        _ = try await transactions.write(.kill) { work in
          let id = try ConversationBook(work).open(.direct(peer))
          if peer == refused { throw ChatError(.notPossibleNow, "No.") }
          return id
        }
      }
    }
    for (peer, task) in zip(peers, tasks) {
      if peer == refused {
        await #expect(throws: ChatError.self) { try await task.value }
      } else {
        try await task.value
      }
    }
    return count.withLock { $0 }
  }

  private func peers(in store: ChatStore) async throws -> Set<UserID> {
    Set(try await store.read { try $0.select(ConversationRow.self, "") }.compactMap(\.peer))
  }

  @Test("Changes that are requested at the same time are stored together", .simulated)
  func together() async throws {
    let store = try await OddServerTests.store(stage)
    let names = (1...50).map { UserID("user-\($0)") }
    let count = try await open(names, in: store)
    #expect(count <= 10)
    let stored = try await peers(in: store)
    #expect(stored == Set(names))
    await store.database.close()
  }

  @Test("Other writes get their turn between the transactions of many changes", .simulated)
  func limit() async throws {
    let store = try await OddServerTests.store(stage)
    let names = (1...200).map { UserID("user-\($0)") }
    let count = try await open(names, in: store)
    #expect((4...10).contains(count))
    let stored = try await peers(in: store)
    #expect(stored.count == 200)
    await store.database.close()
  }

  @Test(
    "A change that can't be stored fails alone", .simulated,
    arguments: ["alice", "carol", "dave"] as [UserID])
  func failure(_ refused: UserID) async throws {
    let store = try await OddServerTests.store(stage)
    let names: [UserID] = ["alice", "carol", "dave", "erin"]
    _ = try await open(names, refusing: refused, in: store)
    let stored = try await peers(in: store)
    #expect(stored == Set(names).subtracting([refused]))
    await store.database.close()
  }

  @Test(
    "A change that must survive a power cut is synchronized together with changes that need not",
    .simulated)
  func durability() async throws {
    let isSynchronized = Mutex((isFull: false, commits: 0))
    var runtime = stage.runtime(named: "store")
    runtime.gate = { statement in
      isSynchronized.withLock { state in
        if statement.hasPrefix("PRAGMA synchronous") { state.isFull = statement.hasSuffix("FULL") }
        if statement == "BEGIN IMMEDIATE", state.isFull { state.commits += 1 }
      }
    }
    let store = try await ChatStore.open(
      account: "bob", kinds: .standard,
      capabilities: ServerAbilities(idempotency: .forever, ordering: .dense), runtime: runtime,
      derivations: Derivations.all)
    let before = isSynchronized.withLock { $0.commits }
    let transactions = SharedTransactions(store)
    let tasks = (0..<10).map { number in
      store.runtime.spawn {
        _ = try await transactions.write(number == 9 ? .powerCut : .kill) { work in
          try ConversationBook(work).open(.direct(UserID("user-\(number)")))
        }
      }
    }
    for task in tasks { try await task.value }
    #expect(isSynchronized.withLock { $0.commits } == before + 1)
    await store.database.close()
  }
}
