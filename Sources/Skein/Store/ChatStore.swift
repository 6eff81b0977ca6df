#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage

/// One account's database. ``write(_:isWithheld:_:)`` makes every visible change, and publishes it through
/// `feed`.
struct ChatStore: Sendable {
  let database: Database
  let account: UserID
  let kinds: KindRegistry
  let participants: SendParticipants
  let capabilities: ServerAbilities
  let runtime: Runtime
  let feed: ChangeFeed
  let cleared = ClearedSends()
  let spanCache = SpanCache()
  let clock: ServerClock
  /// The derived values, in the order in which they are computed.
  let derivations: [any Derivation]
  /// How long the messages of a closed conversation are kept.
  let keepRemovedFor: Duration
  /// Checks before every change that this process holds the lease; nil for callers that need no lease.
  private(set) var fence: Fence?

  var ordering: BackendCapabilities.Ordering { capabilities.ordering }

  static func open(
    account: UserID, kinds: KindRegistry, capabilities: ServerAbilities, runtime: Runtime,
    participants: SendParticipants = SendParticipants(), derivations: [any Derivation],
    maximumPages: Int? = nil,
    keepRemovedFor: Duration = .seconds(30 * 86400), key: DatabaseKey? = nil,
    connections: ConnectionShelf? = nil
  ) async throws -> ChatStore {
    guard !account.rawValue.isEmpty else { throw ChatError(.notPossibleNow, "The account has no id.") }
    try FileManager.default.createDirectory(at: runtime.directory, withIntermediateDirectories: true)
    var options = DatabaseOptions(
      maximumPages: maximumPages, wait: { try await runtime.sleep(for: $0) }, key: key,
      gate: runtime.gate, fileSystem: runtime.fileSystem)
    options.shelf = connections
    for _ in 1...50 {
      // An erasure removes the database first, and then the other files.
      let isNew = !FileManager.default.fileExists(atPath: file(of: runtime).path)
      let lock = try isNew ? FileLock.acquire(.exclusive, on: leaseFile(of: runtime)) : nil
      defer { lock?.release() }
      if lock != nil { try removeLeftovers(runtime) }
      if !isNew || lock != nil {
        let store = ChatStore(
          database: try await Database.open(
            at: file(of: runtime), schema: ChatSchema.current, options: options),
          account: account, kinds: kinds, participants: participants, capabilities: capabilities,
          runtime: runtime, feed: ChangeFeed(), clock: ServerClock(runtime), derivations: derivations,
          keepRemovedFor: keepRemovedFor)
        do {
          if try await store.claim(mayCreate: isNew) { return store }
        } catch {
          await store.database.close()
          throw error
        }
        await store.database.close()
        if try await finishErasure(runtime, options) { continue }
      }
      try await runtime.sleep(for: .milliseconds(100))
    }
    throw ChatError(.notPossibleNow, "Another process is erasing this account's data.")
  }

  /// Changes the database in one transaction, and publishes the changes right after the commit.
  ///
  /// - Parameter isWithheld: whether the list of conversations shows the changes only after the next
  ///   ``StoreChanges/release``.
  func write<Result: Sendable>(
    _ durability: Durability, isWithheld: Bool = false, _ body: @Sendable (UnitOfWork) throws -> Result
  ) async throws -> Result {
    try await database.write(
      durability,
      { rows in
        try fence?.check(rows)
        let work = try UnitOfWork(rows, self)
        let missed = try changes(in: rows, work.account)
        let result = try body(work)
        var own = try work.finish()
        own.isWithheld = isWithheld
        return (result, missed, own, work.storedSpans)
      },
      committed: { _, missed, changes, spans in
        spanCache.keep(spans)
        if let missed { feed.publish(missed) }
        feed.publish(changes)
      }
    ).0
  }

  /// The same store for callers that may change it only while this process has the lease.
  func fenced(by fence: Fence) -> ChatStore {
    var store = self
    store.fence = fence
    return store
  }

  /// Reads one snapshot of the database.
  func read<Result: Sendable>(_ body: @Sendable (ReadTransaction) throws -> Result) async throws -> Result {
    try await database.read(body)
  }

  /// The rank of a position; nil if there is no position, or if the server orders by arrival.
  func rank(_ position: Position?) -> Rank? { ordering == .arrival ? nil : position.map { Rank($0) } }

  /// Creates the account's row in a new database, and refuses the database of another account. If the
  /// database is a copy, or if a power cut may have lost attempts, every operation may have been attempted.
  ///
  /// - Parameter mayCreate: whether the database may be new. A database without an account is otherwise one that was
  ///   created while another process removed the files.
  /// - Returns: false if the erasure of the database has begun.
  private func claim(mayCreate: Bool) async throws -> Bool {
    let account = account
    let version = try await database.write(.powerCut) { rows -> Int64? in
      let stored = try rows.account()
      if stored?.isErased ?? !mayCreate { return nil }
      // The call is within the transaction, so that only one process writes the installation's name.
      let installation = try Installation.name(in: runtime)
      guard var row = stored else {
        cleared.begin(at: LocalMessageID(rawValue: 1))
        try rows.insert(
          AccountRow(
            id: 1, user: account, cursor: nil, epoch: nil, nextMessage: 1, nextConversation: 1,
            nextOperation: 1, version: 0, installation: installation))
        return 0
      }
      guard row.user == account else {
        throw ChatError(.foreignDatabase, "The database in this folder belongs to another account.")
      }
      cleared.begin(at: LocalMessageID(rawValue: row.nextMessage))
      clock.begin(at: .milliseconds(row.clockOffset))
      let isCopy = row.installation != nil && row.installation != installation
      let mayHaveLostAttempts = row.unsyncedBoot != nil && row.unsyncedBoot != runtime.boot
      // The waiting messages of a copy may have been sent from the original database.
      if isCopy || mayHaveLostAttempts { try rows.doubtAllAttempts() }
      let known = row
      row.installation = installation
      if mayHaveLostAttempts { row.unsyncedBoot = nil }
      try rows.update(row, was: known)
      return row.version
    }
    guard let version else { return false }
    feed.begin(at: version)
    return true
  }
}
