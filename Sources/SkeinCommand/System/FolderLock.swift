import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A lock on a folder of data.
struct FolderLock {
  enum Mode {
    /// For a server, which does not notice changes by another server.
    case exclusive
    /// For clients, which follow each other's changes.
    case shared
  }
  private let file: URL
  private let madeFile: Bool
  /// The folders that were created, the innermost first.
  private let madeFolders: [URL]

  /// Locks the folder until the process ends. A missing folder is made, readable by its owner alone.
  ///
  /// - Throws: ``Failure`` if the lock of another process excludes this lock, or if the folder can't be
  ///   created or written to.
  static func acquire(_ folder: URL, _ mode: Mode) throws -> FolderLock {
    let missing = missing(folder.absoluteURL.standardizedFileURL)
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw Failure("The folder \(folder.relativePath) can't be created.", error)
    }
    let file = folder.appending(path: "lock")
    let flags = O_RDWR | O_CREAT | O_CLOEXEC
    var descriptor = open(file.path, flags | O_EXCL, 0o600)
    let madeFile = descriptor >= 0
    if !madeFile { descriptor = open(file.path, flags, 0o600) }
    guard descriptor >= 0 else { throw Failure("The folder \(folder.relativePath) can't be written to.") }
    guard flock(descriptor, (mode == .shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 else {
      throw Failure("Another skein is using the folder \(folder.relativePath).")
    }
    return FolderLock(file: file, madeFile: madeFile, madeFolders: missing)
  }

  /// Removes the empty folders and the lock file that a failed start has made.
  ///
  /// - Parameter folders: Other folders that the start makes within the folder, the innermost first.
  func undo(_ folders: [String] = []) {
    let folder = file.deletingLastPathComponent()
    for name in folders { rmdir(folder.appending(path: name).path) }
    if madeFile { unlink(file.path) }
    for folder in madeFolders { rmdir(folder.path) }
  }

  /// The folder and its parents that do not exist, the innermost first.
  private static func missing(_ folder: URL) -> [URL] {
    guard folder.pathComponents.count > 1, !FileManager.default.fileExists(atPath: folder.path) else {
      return []
    }
    return [folder] + missing(folder.deletingLastPathComponent())
  }
}
