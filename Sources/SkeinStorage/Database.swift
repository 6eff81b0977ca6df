internal import Synchronization

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A SQLite file with one writer and several readers, each an actor with a connection of its own.
///
/// 1. A transaction is whole or not there at all, whatever happens to the process.
/// 2. Writes are committed one after the other; a read sees the last commit before it and nothing later.
/// 3. A read never waits for a write.
///
/// ```swift
/// let database = try await Database.open(at: file, schema: Schema(version: 1, tables: [MessageRow.table]))
/// try await database.write(.powerCut) { try $0.insert(message) }
/// let page = try await database.read { try $0.select(MessageRow.self, "WHERE conversation = ? LIMIT 50", id) }
/// ```
///
/// Bodies are synchronous and should be short. A task that is cancelled still commits what it began to write.
public final class Database: Sendable {
  private let writer: Writer
  private let readers: [Reader]
  private let readsInFlight: Mutex<[Int]>

  private init(_ writer: Writer, _ readers: [Reader]) {
    self.writer = writer
    self.readers = readers
    readsInFlight = Mutex(readers.map { _ in 0 })
  }

  /// Opens `file`: makes it where there is none, migrates an older one.
  ///
  /// Throws ``StorageError``: `encryptionUnavailable` makes no file; `notADatabase` and `newerSchema` leave the file as it was; after a migration that failed
  /// it is at the version before it.
  public static func open(
    at file: URL, schema: Schema, options: DatabaseOptions = DatabaseOptions()
  ) async throws -> Database {
    if options.key != nil { try Connection.checkCodec() }
    let writer = try Writer(file, options)
    try await writer.prepare(schema)
    let readers = try (0..<max(1, options.readers)).map { _ in try Reader(file, options) }
    return Database(writer, readers)
  }

  /// Runs `body` as one transaction of the writer, and undoes it when `body` throws.
  ///
  /// - Parameters:
  ///   - durability: What the transaction survives once this returned.
  ///   - committed: Is called right after the commit and before any later transaction begins, so that what is
  ///     published from here is published in the order of the commits.
  /// - Throws: What `body` throws, ``StorageError``, or what ``DatabaseOptions/wait`` throws.
  @discardableResult
  public func write<T: Sendable>(
    _ durability: Durability = .kill, _ body: @Sendable (WriteTransaction) throws -> T,
    committed: @Sendable (T) -> Void = { _ in }
  ) async throws -> T {
    try await writer.write(durability, body, committed: committed)
  }

  /// Runs `body` on one snapshot, on the reader with the least to do.
  ///
  /// - Throws: What `body` throws, ``StorageError``, or what ``DatabaseOptions/wait`` throws.
  public func read<T: Sendable>(_ body: @Sendable (ReadTransaction) throws -> T) async throws -> T {
    let index = readsInFlight.withLock { inFlight in
      let index = inFlight.indices.min { inFlight[$0] < inFlight[$1] } ?? 0
      inFlight[index] += 1
      return index
    }
    defer { readsInFlight.withLock { $0[index] -= 1 } }
    return try await readers[index].read(body)
  }

  /// Runs `body` on one snapshot, between two transactions of the writer.
  ///
  /// - Parameter then: is called before any later transaction begins, so that what is published from here stands among
  ///   what ``write(_:_:committed:)`` publishes in the order of the commits.
  /// - Throws: What `body` throws, ``StorageError``, or what ``DatabaseOptions/wait`` throws.
  public func readInOrder<T: Sendable>(
    _ body: @Sendable (ReadTransaction) throws -> T, then: @Sendable (T) -> Void
  ) async throws {
    try await writer.read(body, then: then)
  }

  /// A number that is another one once somebody else has committed to the file: another process, or another
  /// ``Database`` of this one. It says nothing else, and costs no more than a look at the log's header.
  public func foreignCommits() async throws -> Int64 { try await writer.foreignCommits() }

  /// Waits for the transactions that run, then lets the file go; every later call throws `closed`.
  public func close() async {
    for reader in readers { await reader.close() }
    await writer.close()
  }
}
