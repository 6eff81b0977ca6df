import SkeinStorage
import Synchronization

/// Combines changes into shared transactions: changes that are requested while a transaction is being stored
/// wait, and the next transaction stores them together.
///
/// If a transaction with several changes can't be stored, each of its changes is stored in a transaction of
/// its own.
actor SharedTransactions {
  /// The largest number of changes in one transaction, so that other writes get their turn.
  private static let limit = 64

  private enum Turn {
    /// The caller stores the next transaction.
    case lead
    /// The caller's change is stored.
    case stored
    /// The shared transaction failed. The caller stores its change alone.
    case alone
  }

  private struct Waiting {
    let durability: Durability
    let body: @Sendable (UnitOfWork) throws -> Void
    let turn: CheckedContinuation<Turn, Never>
  }

  private final class Answer<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
  }

  private let store: ChatStore
  private var isStoring = false
  private var waiting: [Waiting] = []

  init(_ store: ChatStore) { self.store = store }

  /// Stores a change, usually together with others. If the shared transaction fails, `body` is called once more in a
  /// transaction of its own, so it must have no effect outside the transaction.
  func write<Value: Sendable>(
    _ durability: Durability, _ body: @escaping @Sendable (UnitOfWork) throws -> Value
  ) async throws -> Value {
    let answer = Answer<Value>()
    let change: @Sendable (UnitOfWork) throws -> Void = { work in
      let value = try body(work)
      answer.value.withLock { $0 = value }
    }
    switch await turn(durability, change) {
    case .lead:
      let others = Array(waiting.prefix(Self.limit - 1))
      waiting.removeFirst(others.count)
      let isStored = try await store(durability, change, with: others)
      if isStored, let value = answer.value.withLock({ $0 }) { return value }
    case .stored:
      if let value = answer.value.withLock({ $0 }) { return value }
    case .alone: break
    }
    return try await store.write(durability, body)
  }

  private func turn(_ durability: Durability, _ body: @escaping @Sendable (UnitOfWork) throws -> Void) async
    -> Turn
  {
    guard isStoring else {
      isStoring = true
      return .lead
    }
    return await withCheckedContinuation { turn in
      waiting.append(Waiting(durability: durability, body: body, turn: turn))
    }
  }

  /// Stores one transaction with the leader's change and `others`; then the next waiting change leads. If the
  /// transaction fails, throws if there are no `others`, and otherwise returns false.
  private func store(
    _ durability: Durability, _ body: @Sendable (UnitOfWork) throws -> Void, with others: [Waiting]
  ) async throws -> Bool {
    defer { endTurn() }
    do {
      let isSynchronized = durability == .powerCut || others.contains { $0.durability == .powerCut }
      try await store.write(isSynchronized ? .powerCut : .kill) { work in
        try body(work)
        for other in others { try other.body(work) }
      }
      for other in others { other.turn.resume(returning: .stored) }
      return true
    } catch {
      if others.isEmpty { throw error }
      for other in others { other.turn.resume(returning: .alone) }
      return false
    }
  }

  private func endTurn() {
    if waiting.isEmpty {
      isStoring = false
    } else {
      waiting.removeFirst().turn.resume(returning: .lead)
    }
  }
}
