import Foundation
import Skein

/// Files of any type, as messages.
enum MediaFile {
  /// A picture, a film or a recording where the file's first bytes say so, a file by its name otherwise.
  ///
  /// - Throws: ``UsageError`` if the file can't be read.
  static func content(of file: URL) throws -> any MessageContent {
    let unreadable = UsageError("The file \(SafeText.line(file.relativePath)) can't be read.")
    guard let handle = try? FileHandle(forReadingFrom: file) else { throw unreadable }
    defer { try? handle.close() }
    let start: Data
    // An empty file has no first bytes; a folder can be opened, and not read.
    do { start = try handle.read(upToCount: 32) ?? Data() } catch { throw unreadable }
    let type = type(of: [UInt8](start))
    switch type.prefix(while: { $0 != "/" }) {
    case "image": return try Picture.content(of: file)
    case "video": return VideoContent(.file(file, type: type))
    case "audio": return AudioContent(.file(file, type: type))
    default:
      let size = (try? handle.seekToEnd()).map { Int64($0) }
      return FileContent(.file(file, type: type), name: file.lastPathComponent, size: size)
    }
  }

  /// The media type that a file's first bytes tell.
  static func type(of start: [UInt8]) -> String {
    if let picture = Picture.type(of: start) { return picture }
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
    if start.starts(with: "RIFF".utf8), start.dropFirst(8).starts(with: "WAVE".utf8) { return "audio/wav" }
    return starts.first { start.starts(with: $0.0) }?.1 ?? "application/octet-stream"
  }

  private static let starts: [([UInt8], String)] = [
    ([0x1A, 0x45, 0xDF, 0xA3], "video/webm"), (Array("ID3".utf8), "audio/mpeg"),
    ([0xFF, 0xFB], "audio/mpeg"), (Array("OggS".utf8), "audio/ogg"), (Array("fLaC".utf8), "audio/flac"),
    (Array("%PDF".utf8), "application/pdf"),
  ]
}

extension StoredContent {
  /// What the media server holds of a picture, a film, a recording or a file.
  var media: RemoteMedia? {
    self.as(ImageContent.self)?.image.media ?? self.as(VideoContent.self)?.video.media
      ?? self.as(AudioContent.self)?.audio.media ?? self.as(FileContent.self)?.file.media
  }
}
