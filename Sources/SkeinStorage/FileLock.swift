#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A lock on a file, among processes and within one; the system lets it go when its holder does or its process ends,
/// however that ends.
package final class FileLock: Sendable {
  /// Whom a lock keeps out.
  package enum Kind: Sendable {
    /// Only exclusive ones.
    case shared
    /// Everybody.
    case exclusive
  }

  private let file: Descriptor

  private init(_ file: Descriptor) { self.file = file }

  /// Takes the lock on a file, which is made where there is none; nil where another holder keeps this one out.
  ///
  /// It never waits. Throws ``StorageError`` where the file can't be opened or the system has no such locks.
  package static func acquire(_ kind: Kind, on file: URL) throws -> FileLock? {
    let descriptor = try Descriptor("open the lock") {
      open(file.path(percentEncoded: false), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    }
    let operation = kind == .shared ? LOCK_SH : LOCK_EX
    while flock(descriptor.number, operation | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return nil }
      if errno != EINTR { throw StorageError(.io, "The file can't be locked.") }
    }
    return FileLock(descriptor)
  }

  /// Lets the lock go.
  package func release() { flock(file.number, LOCK_UN) }
}
