import Foundation
import Skein

/// Pictures in files.
enum Picture {
  /// A picture's content, its type known by the file's first bytes, its size where the format says it at once.
  ///
  /// - Throws: ``UsageError`` if the file can't be read or is no picture that people can be expected to see.
  static func content(of file: URL) throws -> ImageContent {
    guard let handle = try? FileHandle(forReadingFrom: file) else {
      throw UsageError("The file \(SafeText.line(file.relativePath)) can't be read.")
    }
    defer { try? handle.close() }
    let start = [UInt8]((try? handle.read(upToCount: 32)) ?? Data())
    guard let type = type(of: start) else {
      throw UsageError(
        "\(SafeText.line(file.lastPathComponent)) is no picture of a known kind: PNG, JPEG, GIF or WebP.")
    }
    let size = type == "image/png" ? pngSize(start) : nil
    return ImageContent(.file(file, type: type), width: size?.width, height: size?.height)
  }

  /// The media type that a file's first bytes tell.
  static func type(of start: [UInt8]) -> String? {
    if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
    if start.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if start.starts(with: "GIF8".utf8) { return "image/gif" }
    if start.starts(with: "RIFF".utf8), start.dropFirst(8).starts(with: "WEBP".utf8) { return "image/webp" }
    return nil
  }

  /// Width and height from a PNG's header.
  private static func pngSize(_ start: [UInt8]) -> (width: Int, height: Int)? {
    guard start.count >= 24 else { return nil }
    func number(at offset: Int) -> Int { start[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
    return (number(at: 16), number(at: 20))
  }
}
