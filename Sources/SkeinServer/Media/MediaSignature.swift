/// Recognizes pictures, sound and film by their first bytes, regardless of the declared type.
enum MediaSignature {
  /// The number of bytes that suffice to recognize every type.
  static let length = 16

  /// Returns the media type; nil if the bytes are not recognized. SVG is excluded, since SVG pictures can
  /// contain scripts.
  static func type(of head: [UInt8]) -> String? {
    func has(_ text: String, at offset: Int = 0) -> Bool { head.dropFirst(offset).starts(with: text.utf8) }
    if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
    if head.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if has("GIF87a") || has("GIF89a") { return "image/gif" }
    if has("RIFF") { return has("WEBP", at: 8) ? "image/webp" : has("WAVE", at: 8) ? "audio/wav" : nil }
    if has("OggS") { return "audio/ogg" }
    if has("fLaC") { return "audio/flac" }
    if has("ID3") { return "audio/mpeg" }
    if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return "video/webm" }
    if head.count > 1, head[0] == 0xFF, [0xFB, 0xF3, 0xF2].contains(head[1]) { return "audio/mpeg" }
    return has("ftyp", at: 4) ? isoType(String(decoding: head.dropFirst(8).prefix(4), as: UTF8.self)) : nil
  }

  private static func isoType(_ brand: String) -> String {
    switch brand {
    case "avif", "avis": "image/avif"
    case "heic", "heix", "mif1": "image/heic"
    case "M4A ", "M4B ": "audio/mp4"
    case "qt  ": "video/quicktime"
    default: "video/mp4"
    }
  }
}
