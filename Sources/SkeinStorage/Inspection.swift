#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A look into a database file from beside its owner, at once and without waiting: for simulations, which check between
/// two steps what stands on the disk.
package enum Inspection {
  /// Runs `body` on one snapshot of a file that exists.
  package static func read<T>(_ file: URL, _ body: (ReadTransaction) throws -> T) throws -> T {
    let connection = try Connection(file)
    try connection.execute("PRAGMA query_only = ON")
    let answer = try connection.transaction(.read) { try body(ReadTransaction(on: connection)) }
    guard let answer else { throw StorageError(.busy, "Another connection holds the database.") }
    return answer
  }

  /// What SQLite finds wrong with a file; nil where it is sound.
  package static func damage(of file: URL) throws -> String? {
    let finding = try read(file) { try $0.scalar(String.self, "PRAGMA integrity_check") } ?? "no answer"
    return finding == "ok" ? nil : finding
  }
}
