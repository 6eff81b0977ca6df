internal import Synchronization

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A SQLite file with one writer and one or more readers. The writer and each reader are actors, each with its
/// own connection.
///
/// 1. Transactions are atomic, even if the process is killed.
/// 2. Writes are committed one after the other. A read sees everything that was committed before the read began, and
///    nothing later.
/// 3. ``read(_:)`` never waits for a write.
///
/// ```swift
/// let database = try await Database.open(at: file, schema: Schema(version: 1, tables: [MessageRow.table]))
/// try await database.write(.powerCut) { try $0.insert(message) }
/// let page = try await database.read { try $0.select(MessageRow.self, "WHERE conversation = ? LIMIT 50", id) }
/// ```
///
/// The bodies of transactions are synchronous and should be short. Cancelling a task does not undo a transaction that
/// has begun.
public final class Database: Sendable {
  private let writer: Writer
  private let readers: [Reader]
  private let readsInFlight: Mutex<[Int]>

  private init(_ writer: Writer, _ readers: [Reader]) {
    self.writer = writer
    self.readers = readers
    readsInFlight = Mutex(readers.map { _ in 0 })
  }

  /// Opens `file`, and migrates the file to `schema`. Creates the file if it does not exist.
  ///
  /// - Throws: ``StorageError``, and any error of a migration or of ``DatabaseOptions/wait``. After
  ///   `encryptionUnavailable`, no file was created. After `notADatabase` and `newerSchema`, the file is
  ///   unchanged. After a failed migration, the file has the version before that migration.
  public static func open(
    at file: URL, schema: Schema, options: DatabaseOptions = DatabaseOptions()
  ) async throws -> Database {
    if options.key != nil { try Connection.checkCodec() }
    let writer = try Writer(file, options)
    try await writer.prepare(schema)
    let readers = try (0..<max(1, options.readers)).map { _ in try Reader(file, options) }
    return Database(writer, readers)
  }

  /// Runs `body` as one transaction of the writer. The transaction is rolled back if `body` throws.
  ///
  /// - Parameters:
  ///   - durability: The failures that the transaction survives once this method has returned.
  ///   - committed: Called right after the commit, before the writer begins another transaction. Changes
  ///     published here are therefore in the order of the commits.
  /// - Throws: ``StorageError``, and any error of `body` or of ``DatabaseOptions/wait``.
  @discardableResult
  public func write<T: Sendable>(
    _ durability: Durability = .kill, _ body: @Sendable (WriteTransaction) throws -> T,
    committed: @Sendable (T) -> Void = { _ in }
  ) async throws -> T {
    try await writer.write(durability, body, committed: committed)
  }

  /// Runs `body` on one snapshot, on the reader with the fewest running reads.
  ///
  /// - Throws: ``StorageError``, and any error of `body` or of ``DatabaseOptions/wait``.
  public func read<T: Sendable>(_ body: @Sendable (ReadTransaction) throws -> T) async throws -> T {
    let index = readsInFlight.withLock { inFlight in
      let index = inFlight.indices.min { inFlight[$0] < inFlight[$1] } ?? 0
      inFlight[index] += 1
      return index
    }
    defer { readsInFlight.withLock { $0[index] -= 1 } }
    return try await readers[index].read(body)
  }

  /// Runs `body` on one snapshot, on the writer's connection, between two transactions of the writer.
  ///
  /// - Parameter then: Called before the writer begins another transaction. Values published here and in
  ///   ``write(_:_:committed:)`` are therefore in the order of the commits.
  /// - Throws: ``StorageError``, and any error of `body` or of ``DatabaseOptions/wait``.
  public func readInOrder<T: Sendable>(
    _ body: @Sendable (ReadTransaction) throws -> T, then: @Sendable (T) -> Void
  ) async throws {
    try await writer.read(body, then: then)
  }

  /// A number that changes whenever another process, or another ``Database`` in this process, commits to the
  /// file.
  ///
  /// The call reads no table.
  public func foreignCommits() async throws -> Int64 { try await writer.foreignCommits() }

  /// Waits for the running transactions, and closes the file; later calls throw `closed`.
  public func close() async {
    for reader in readers { await reader.close() }
    await writer.close()
  }
}
