#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
internal import CPowerCut

/// Leaves of a database only what a power cut would leave.
package enum PowerCut {
  /// The parts of a database that another process may open. The file of the shared memory belongs to the connections
  /// of one machine's run.
  static let parts = ["chat.sqlite", "chat.sqlite-wal"]

  /// Copies an account's database to another folder, without the writes that a power cut would lose now.
  ///
  /// - Returns: the number of lost writes.
  package static func copyDatabase(in folder: URL, to target: URL) throws -> Int {
    let files = FileManager.default
    try files.createDirectory(at: target, withIntermediateDirectories: true)
    for part in parts where files.fileExists(atPath: folder.appending(path: part).path) {
      try files.copyItem(at: folder.appending(path: part), to: target.appending(path: part))
    }
    return takeBack(in: target, from: folder)
  }

  /// Takes the writes that a power cut would lose back from a copy of a database.
  static func takeBack(in copy: URL, from folder: URL) -> Int {
    let log = "chat.sqlite-wal"
    return Int(cpowercut_restore(folder.appending(path: log).path, copy.appending(path: log).path))
  }
}
