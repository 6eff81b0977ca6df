#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
import SkeinStorage

/// Message content for files of any type.
public enum MediaFile {
  /// Returns image, video or audio content if the file's first bytes show an image, video or audio type.
  /// Returns file content for any other file.
  ///
  /// Reads only the first bytes. Image content has a width and a height only for a PNG file. File content has
  /// the name and the size of the file.
  ///
  /// - Throws: ``ChatError`` with `attachmentUnreadable` if the file can't be read.
  public static func content(of file: URL) throws -> any MessageContent {
    // For an empty file, `start` is empty. A folder can be opened, but not read.
    guard let start = try? FileReader(file).read(upTo: 32) else {
      throw ChatError(.attachmentUnreadable, "The file \(file.lastPathComponent) can't be read.")
    }
    let type = type(of: start)
    switch type.prefix(while: { $0 != "/" }) {
    case "image":
      let size = type == "image/png" ? pngSize(start) : nil
      return ImageContent(.file(file, type: type), width: size?.width, height: size?.height)
    case "video": return VideoContent(.file(file, type: type))
    case "audio": return AudioContent(.file(file, type: type))
    default:
      return FileContent(.file(file, type: type), name: file.lastPathComponent, size: size(of: file))
    }
  }

  /// Returns the media type of a file with these first bytes; `application/octet-stream` if they match no known type.
  public static func type(of start: [UInt8]) -> String {
    if start.dropFirst(4).starts(with: "ftyp".utf8) {
      let brand = start.dropFirst(8).prefix(4)
      if brand.starts(with: "M4A".utf8) { return "audio/mp4" }
      if brand.starts(with: "qt".utf8) { return "video/quicktime" }
      if ["isom", "iso2", "iso5", "iso6", "mp41", "mp42", "avc1", "M4V "].contains(where: {
        brand.elementsEqual($0.utf8)
      }) {
        return "video/mp4"
      }
    }
    if start.starts(with: "RIFF".utf8) {
      if start.dropFirst(8).starts(with: "WAVE".utf8) { return "audio/wav" }
      if start.dropFirst(8).starts(with: "WEBP".utf8) { return "image/webp" }
    }
    return starts.first { start.starts(with: $0.0) }?.1 ?? "application/octet-stream"
  }

  private static let starts: [([UInt8], String)] = [
    ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png"), ([0xFF, 0xD8, 0xFF], "image/jpeg"),
    (Array("GIF8".utf8), "image/gif"), ([0x1A, 0x45, 0xDF, 0xA3], "video/webm"),
    (Array("ID3".utf8), "audio/mpeg"), ([0xFF, 0xFB], "audio/mpeg"), (Array("OggS".utf8), "audio/ogg"),
    (Array("fLaC".utf8), "audio/flac"), (Array("%PDF".utf8), "application/pdf"),
  ]

  private static func size(of file: URL) -> Int64? {
    (try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? UInt64).map {
      Int64(clamping: $0)
    }
  }

  /// Width and height from a PNG's header.
  private static func pngSize(_ start: [UInt8]) -> (width: Int, height: Int)? {
    guard start.count >= 24 else { return nil }
    func number(at offset: Int) -> Int { start[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
    return (number(at: 16), number(at: 20))
  }
}
