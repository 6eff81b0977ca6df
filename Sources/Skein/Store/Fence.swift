import SkeinStorage
import Synchronization

/// Checks the lease at the start of each write transaction of a fenced ``ChatStore``.
///
/// Once another process has acquired the lease, these transactions throw and change nothing. This is true even
/// before this process has noticed the loss of the lease.
final class Fence: Sendable {
  private let number = Mutex<Int64?>(nil)

  /// Sets the number of the lease that this process holds; nil if it holds none.
  func stand(at number: Int64?) { self.number.withLock { $0 = number } }

  /// Whether this process holds the lease.
  func holds(_ row: LeaseRow) -> Bool { number.withLock { $0 } == row.fence }

  func check(_ rows: ReadTransaction) throws {
    guard holds(try rows.lease()) else {
      throw ChatError(.notPossibleNow, "Another process posts and syncs for this database by now.")
    }
  }
}
