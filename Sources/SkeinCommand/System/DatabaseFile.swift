import Foundation
import SkeinTerminal

/// Checks that a file is a database before it is opened.
enum DatabaseFile {
  /// Checks the first bytes of a file. Does nothing if the file does not exist.
  ///
  /// - Throws: ``Failure`` with the file's path if the file can't be read or is not a database.
  static func check(_ file: URL) throws {
    guard FileManager.default.fileExists(atPath: file.path) else { return }
    guard let handle = try? FileHandle(forReadingFrom: file),
      let start = try? handle.read(upToCount: signature.count) ?? Data()
    else { throw Failure("The file \(file.shownPath) can't be read.") }
    try? handle.close()
    // For SQLite, an empty file is a database without tables.
    guard start.isEmpty || Array(start) == signature else {
      throw Failure(
        "The file \(file.shownPath) is not a database; move it away, or choose another folder with --data.")
    }
  }

  /// The first bytes of every SQLite file.
  private static let signature = Array("SQLite format 3\0".utf8)
}

extension URL {
  /// The path as it was given, without control characters.
  var shownPath: String { SafeText.line(relativePath) }
}
