import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A folder of data for this process alone: two engines, or two servers, on one database would not hear of each other.
enum FolderLock {
  /// Makes the folder, for its owner's eyes only, and holds it until the process ends, however it ends.
  ///
  /// - Throws: ``Failure`` if another process holds it, or it can't be made or written to.
  static func take(_ folder: URL) throws {
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw Failure("The folder \(folder.relativePath) can't be made.", error)
    }
    let descriptor = open(folder.appending(path: "lock").path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Failure("The folder \(folder.relativePath) can't be written to.") }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw Failure("Another skein is using the folder \(folder.relativePath).")
    }
  }
}
