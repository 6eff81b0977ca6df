import SkeinStorage
import Synchronization

/// Stores changes that are requested at about the same time in one transaction: while a transaction is being
/// stored, the changes for the next one are collected.
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

  /// Makes a change, together with others. `body` may be called twice, if the first transaction is undone.
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

  /// Stores a transaction and ends the turn. Returns whether the changes are stored, and throws if the only change
  /// can't be stored.
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
