import Foundation
import Skein
import SkeinTerminal

/// Makes contents from picture files.
enum Picture {
  /// The content of a picture file. The type is read from the file, for PNG also the size in pixels.
  ///
  /// - Throws: `ChatError` if the file can't be read, ``UsageError`` if it is not a picture of a known type.
  static func content(of file: URL) throws -> ImageContent {
    guard let picture = try MediaFile.content(of: file) as? ImageContent else {
      throw UsageError(
        "\(SafeText.line(file.lastPathComponent)) is not a picture of a known type: PNG, JPEG, GIF or WebP.")
    }
    return picture
  }
}
