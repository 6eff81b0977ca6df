import Foundation
import Skein
import SkeinTerminal

/// Pictures in files.
enum Picture {
  /// A picture's content, its type known by the file's first bytes, its size where the format says it at once.
  ///
  /// - Throws: `ChatError` if the file can't be read, ``UsageError`` if it is no picture that people can be expected to see.
  static func content(of file: URL) throws -> ImageContent {
    guard let picture = try MediaFile.content(of: file) as? ImageContent else {
      throw UsageError(
        "\(SafeText.line(file.lastPathComponent)) is no picture of a known kind: PNG, JPEG, GIF or WebP.")
    }
    return picture
  }
}
