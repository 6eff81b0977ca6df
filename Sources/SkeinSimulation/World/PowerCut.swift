#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
internal import CPowerCut

/// Copies of databases in the state in which a power cut would leave them.
package enum PowerCut {
  /// The files that another process needs to open a database. The shared-memory file is not among them, since
  /// it is valid only for the connections that have it open.
  static let parts = ["chat.sqlite", log]
  private static let log = "chat.sqlite-wal"

  /// Copies an account's database to another folder, without the writes that a power cut would lose now.
  ///
  /// - Returns: The number of lost writes; -1 if the copy of the log can't be changed.
  package static func copyDatabase(in folder: URL, to target: URL) throws -> Int {
    let files = FileManager.default
    try files.createDirectory(at: target, withIntermediateDirectories: true)
    for part in parts { try copyFile(folder.appending(path: part), to: target.appending(path: part)) }
    return takeBack(in: target, from: folder)
  }

  /// Copies a file if it exists. On Linux, `FileManager` would make a system call for each 4 KiB.
  static func copyFile(_ file: URL, to target: URL) throws {
    guard FileManager.default.fileExists(atPath: file.path) else { return }
    try Data(contentsOf: file).write(to: target)
  }

  /// From now on, no power cut loses the writes before now.
  static func forgetWrites(in folder: URL) { cpowercut_forget(folder.appending(path: log).path) }

  /// Removes from a copy of a database the writes that a power cut would lose.
  ///
  /// - Returns: The number of removed writes; -1 if the copy of the log can't be changed.
  static func takeBack(in copy: URL, from folder: URL) -> Int {
    Int(cpowercut_restore(folder.appending(path: log).path, copy.appending(path: log).path))
  }
}
