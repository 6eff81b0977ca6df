import Foundation
import SkeinTerminal

/// Tells a database from another file before anything is done with it.
enum DatabaseFile {
  /// Does nothing where there is no file yet.
  ///
  /// - Throws: ``Failure`` with the file's path and what to do, if it can't be read or is something else.
  static func check(_ file: URL) throws {
    guard FileManager.default.fileExists(atPath: file.path) else { return }
    guard let handle = try? FileHandle(forReadingFrom: file),
      let start = try? handle.read(upToCount: signature.count) ?? Data()
    else { throw Failure("The file \(file.shownPath) can't be read.") }
    try? handle.close()
    // SQLite takes an empty file for a database without tables.
    guard start.isEmpty || Array(start) == signature else {
      throw Failure(
        "The file \(file.shownPath) is no database; move it away, or choose another folder with --data.")
    }
  }

  /// What every SQLite file begins with.
  private static let signature = Array("SQLite format 3\0".utf8)
}

extension URL {
  /// The path as it was given, made harmless for a terminal.
  var shownPath: String { SafeText.line(relativePath) }
}
