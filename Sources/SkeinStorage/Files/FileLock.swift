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

/// An advisory lock on a file. It works between processes, and between two locks in one process.
///
/// The lock ends when ``release()`` is called, when this object is deallocated, or when the process ends for any
/// reason.
package final class FileLock: Sendable {
  /// The locks that a lock excludes.
  package enum Kind: Sendable {
    /// Excludes exclusive locks.
    case shared
    /// Excludes all other locks.
    case exclusive
  }

  private let file: Descriptor

  private init(_ file: Descriptor) { self.file = file }

  /// Locks a file, creating it if needed. Returns nil if another lock excludes this lock; never waits.
  ///
  /// - Throws: ``StorageError`` if the file can't be opened or locked.
  package static func acquire(_ kind: Kind, on file: URL) throws -> FileLock? {
    let path = file.path(percentEncoded: false)
    let operation = kind == .shared ? LOCK_SH : LOCK_EX
    while true {
      let descriptor = try Descriptor("open the lock") { open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
      while flock(descriptor.number, operation | LOCK_NB) != 0 {
        if errno == EWOULDBLOCK { return nil }
        if errno != EINTR { throw StorageError(.io, "The file can't be locked.") }
      }
      // The file may have been removed before it was locked. A lock on it would exclude nobody.
      if isAt(path, descriptor) { return FileLock(descriptor) }
    }
  }

  /// Whether a path still names an open file.
  private static func isAt(_ path: String, _ file: Descriptor) -> Bool {
    var (open, named) = (stat(), stat())
    return fstat(file.number, &open) == 0 && stat(path, &named) == 0
      && (open.st_dev, open.st_ino) == (named.st_dev, named.st_ino)
  }

  /// Unlocks the file.
  package func release() { flock(file.number, LOCK_UN) }
}
