import SkeinStorage
import Synchronization

/// What the holder of the lease writes behind: once another process has taken over, its transactions throw and change
/// nothing, even if it does not know yet.
final class Fence: Sendable {
  private let number = Mutex<Int64?>(nil)

  /// This process holds the lease of a number; nil where it does not.
  func stand(at number: Int64?) { self.number.withLock { $0 = number } }

  /// Whether this process holds the lease.
  func holds(_ row: LeaseRow) -> Bool { number.withLock { $0 } == row.fence }

  func check(_ rows: ReadTransaction) throws {
    guard holds(try rows.lease()) else {
      throw ChatError(.notPossibleNow, "Another process posts and syncs for this database by now.")
    }
  }
}
