#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage

/// Ensures that only one of the processes on a database posts and syncs, and that this one is notified of the commits
/// of the others.
///
/// The lease's row and its fence name the holder, and every transaction of the holder checks it; this alone excludes
/// two holders. The lock beside it only shows that a holder is gone, at once and without a clock, since the system
/// releases it when a process ends. A stopped holder keeps its lock and does not answer; see ``LeaseWatch``.
actor Lease {
  /// The intervals at which the database is checked, without and with another process present.
  private static let pace = (alone: Duration.seconds(1), together: Duration.milliseconds(100))
  /// How long another process counts as present after a commit.
  private static let company = Duration.seconds(60)

  nonisolated let fence = Fence()
  private let store: ChatStore
  private let runtime: Runtime
  private var watch = LeaseWatch()
  private var lock: FileLock?
  private var commits: Int64?
  private var lastSeen: Duration?
  private var isOverrun = false

  init(_ store: ChatStore) {
    self.store = store
    runtime = store.runtime
  }

  /// Waits until this process has the lease; false if the task is cancelled before.
  ///
  /// - Parameter isWaiting: called whenever another process has it.
  func take(_ isWaiting: @Sendable () -> Void) async -> Bool {
    watch = LeaseWatch()
    if isOverrun {
      isOverrun = false
      isWaiting()
      // A holder that acquired the lease without its lock acquires the free lock now, and keeps both.
      try? await runtime.sleep(for: Self.pace.together * 5)
    }
    while !Task.isCancelled {
      do {
        try await notice()
        if try await tryToTake() { return true }
        if lock == nil { isWaiting() }
      } catch {
        // The disk may have room again later.
      }
      try? await runtime.sleep(for: Self.pace.together)
    }
    return false
  }

  /// Returns when another process has acquired the lease, or the task is cancelled.
  func keep() async {
    while !Task.isCancelled {
      let isAlone = lastSeen.map { runtime.uptime() - $0 > Self.company } ?? true
      try? await runtime.sleep(for: isAlone ? Self.pace.alone : Self.pace.together)
      // A stopped predecessor may have kept the lock for a while.
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
        commits = nil
      }
    }
  }

  /// Releases the lease, so that another process can acquire it at once.
  func letGo() {
    fence.stand(at: nil)
    lock?.release()
    lock = nil
  }

  private var lockFile: URL { runtime.directory.appending(path: "lease") }

  /// Publishes other processes' commits through the feed; returns whether there were any since the last check.
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

  /// Changes the lease if its row has not changed since; nil if another process was faster.
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
