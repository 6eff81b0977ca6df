#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage

/// Ensures that only one of the processes that use a database posts and syncs. It also publishes the commits
/// of the other processes in this process.
///
/// A number identifies the holder of the lease. This number is in the lease's row, and in the ``Fence`` of
/// the holder's process. Every write transaction of the parts that post or sync checks that both numbers are
/// equal. This check alone excludes a second holder.
///
/// The file lock only shows that a holder is gone. The lock shows this at once and without a clock, since the
/// system releases the lock when a process ends. A suspended holder keeps the lock and does not answer
/// questions; see ``LeaseWatch``.
actor Lease {
  /// The intervals at which the database is checked, without and with another process present.
  private static let pace = (alone: Duration.seconds(1), together: Duration.milliseconds(100))
  /// How long another process counts as present after its last commit, or after it was last found to hold the lock.
  private static let company = Duration.seconds(60)

  nonisolated let fence = Fence()
  private let store: ChatStore
  private let runtime: Runtime
  private var watch = LeaseWatch()
  private var lock: FileLock?
  private var commits: Int64?
  private var lastSeen: Duration?
  private var isOverrun = false
  /// Whether another process has erased the account's data.
  private(set) var isErased = false

  init(_ store: ChatStore) {
    self.store = store
    runtime = store.runtime
  }

  /// Waits until this process has the lease; returns false if the task is cancelled before that, or if the database is
  /// closed or erased.
  ///
  /// - Parameter isWaiting: called at each check that finds the file lock held by another process. Also
  ///   called at the beginning if this process has lost the lease to another process before.
  func take(_ isWaiting: @Sendable () -> Void) async -> Bool {
    watch = LeaseWatch()
    if isOverrun {
      isOverrun = false
      isWaiting()
      // The new holder may have acquired the lease without the lock. This pause lets the new holder acquire the lock
      // as well.
      try? await runtime.sleep(for: Self.pace.together * 5)
    }
    while !Task.isCancelled, !isErased {
      do {
        try await notice()
        if try await tryToTake() { return true }
        if lock == nil { isWaiting() }
      } catch {
        if ends(with: error) { return false }
        // The database may be writable again later, for example when the disk has room again.
      }
      try? await runtime.sleep(for: Self.pace.together)
    }
    return false
  }

  /// Answers the questions of waiting processes. Returns when another process has acquired the lease, the task is
  /// cancelled, or the database is closed or erased.
  func keep() async {
    while !Task.isCancelled {
      let isAlone = lastSeen.map { runtime.uptime() - $0 > Self.company } ?? true
      try? await runtime.sleep(for: isAlone ? Self.pace.alone : Self.pace.together)
      // A suspended previous holder may have kept the lock until now.
      if lock == nil { lock = try? FileLock.acquire(.exclusive, on: lockFile) }
      do {
        guard try await notice() else { continue }
        let row = try await store.read { try $0.lease() }
        guard fence.holds(row) else {
          isOverrun = true
          return letGo()
        }
        if row.answer != row.question { try await answer() }
      } catch {
        if ends(with: error) { return letGo() }
        commits = nil
      }
    }
  }

  /// Whether an error means that the database can't be used any more.
  private func ends(with error: any Error) -> Bool {
    isErased = isErased || (error as? ChatError)?.code == .dataErased
    return isErased || (error as? StorageError)?.code == .closed
  }

  /// Releases the lease, so that another process can acquire it at once.
  func letGo() {
    fence.stand(at: nil)
    lock?.release()
    lock = nil
  }

  private var lockFile: URL { ChatStore.leaseFile(of: runtime) }

  /// Publishes other processes' commits through the feed. Returns false if there were no such commits since
  /// the last call.
  @discardableResult
  private func notice() async throws -> Bool {
    let now = try await store.database.foreignCommits()
    guard now != commits else { return false }
    if commits != nil { lastSeen = runtime.uptime() }
    try await store.publishForeignChanges()
    commits = now
    return true
  }

  private func tryToTake() async throws -> Bool {
    if lock == nil { lock = try? FileLock.acquire(.exclusive, on: lockFile) }
    if lock == nil { lastSeen = runtime.uptime() }
    let seen = try await store.read { try $0.lease() }
    switch watch.look(at: seen, isFree: lock != nil, now: runtime.uptime()) {
    case .take:
      guard let taken = try await change(seen, { ($0.fence, $0.answer) = ($0.fence + 1, $0.question) })
      else { return false }
      fence.stand(at: taken.fence)
      return true
    case .ask: _ = try await change(seen) { $0.question += 1 }
    case .wait: break
    }
    return false
  }

  private func answer() async throws {
    try await store.database.write { [fence] rows in
      try fence.check(rows)
      var row = try rows.lease()
      row.answer = row.question
      try rows.upsert(row)
    }
  }

  /// Changes the lease's row if the row still equals `seen`, and returns the new row. Nil if another process
  /// has changed the row before.
  private func change(_ seen: LeaseRow, _ body: @Sendable (inout LeaseRow) -> Void) async throws -> LeaseRow?
  {
    try await store.database.write { rows in
      var row = try rows.lease()
      guard row == seen else { return nil }
      body(&row)
      try rows.upsert(row)
      return row
    }
  }
}
