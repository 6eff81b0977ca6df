import Foundation

/// Large files that begin with the signature of their type.
enum DemoMedia {
  /// An MP4 file of this many bytes that no player can play: a signature, followed by random bytes.
  static func film(bytes: Int) -> Data {
    filled([0, 0, 0, 0x14] + Array("ftypisom".utf8), bytes)
  }

  /// A small picture, padded with random bytes after the end of the PNG.
  static func photo(bytes: Int) -> Data { filled(DemoPicture.png(side: 64, tint: 200), bytes) }

  private static func filled(_ start: [UInt8], _ count: Int) -> Data {
    let block = Data((0..<4096).map { _ in UInt8.random(in: 0...255) })
    var data = Data(start)
    while data.count < count { data += block.prefix(count - data.count) }
    return data
  }

  /// A size as text: `10.5 MB`.
  static func megabytes(_ count: Int) -> String {
    let tenths = (count * 10 + (1 << 19)) >> 20
    return "\(tenths / 10).\(tenths % 10) MB"
  }
}
