import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A folder of data for one server alone, since two on one database would not hear of each other, or for any number of
/// clients, which do.
struct FolderLock {
  private let file: URL
  private let madeFile: Bool
  /// The innermost first.
  private let madeFolders: [URL]

  /// Makes the folder, for its owner's eyes only, and holds it until the process ends, however it ends.
  ///
  /// - Parameter isShared: whether others that share it may hold it as well.
  /// - Throws: ``Failure`` if another process holds it, or it can't be made or written to.
  static func take(_ folder: URL, isShared: Bool = false) throws -> FolderLock {
    let missing = missing(folder.absoluteURL.standardizedFileURL)
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw Failure("The folder \(folder.relativePath) can't be made.", error)
    }
    let file = folder.appending(path: "lock")
    let flags = O_RDWR | O_CREAT | O_CLOEXEC
    var descriptor = open(file.path, flags | O_EXCL, 0o600)
    let madeFile = descriptor >= 0
    if !madeFile { descriptor = open(file.path, flags, 0o600) }
    guard descriptor >= 0 else { throw Failure("The folder \(folder.relativePath) can't be written to.") }
    guard flock(descriptor, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 else {
      throw Failure("Another skein is using the folder \(folder.relativePath).")
    }
    return FolderLock(file: file, madeFile: madeFile, madeFolders: missing)
  }

  /// After a start that came to nothing: takes away what was made for it, and no folder that holds anything.
  ///
  /// - Parameter folders: what else the start makes in the folder, the innermost first.
  func undo(_ folders: [String] = []) {
    let folder = file.deletingLastPathComponent()
    for name in folders { rmdir(folder.appending(path: name).path) }
    if madeFile { unlink(file.path) }
    for folder in madeFolders { rmdir(folder.path) }
  }

  /// The folder and those around it that are not there.
  private static func missing(_ folder: URL) -> [URL] {
    guard folder.pathComponents.count > 1, !FileManager.default.fileExists(atPath: folder.path) else {
      return []
    }
    return [folder] + missing(folder.deletingLastPathComponent())
  }
}
