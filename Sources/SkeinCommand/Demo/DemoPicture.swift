import CSodium

/// Small computed pictures as PNG.
enum DemoPicture {
  /// A square with a side of at most 100 pixels and a gradient tinted by `tint`.
  static func png(side: Int, tint: UInt8) -> [UInt8] {
    png(width: side, height: side) { x, y in [UInt8(x * 255 / side), UInt8(y * 255 / side), tint] }
  }

  /// A picture; `color` returns the red, green and blue of each pixel. The number of rows plus three times
  /// the number of pixels must be at most 65,535.
  static func png(width: Int, height: Int, _ color: (_ x: Int, _ y: Int) -> [UInt8]) -> [UInt8] {
    var rows: [UInt8] = []
    for y in 0..<height {
      // Each row begins with the number of its filter; 0 is no filter.
      rows.append(0)
      for x in 0..<width { rows += color(x, y) }
    }
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    let header: [UInt8] = big(UInt32(width)) + big(UInt32(height)) + [8, 2, 0, 0, 0]
    return signature + chunk("IHDR", header) + chunk("IDAT", zlib(rows)) + chunk("IEND", [])
  }

  /// The SHA-256 of bytes in hexadecimal digits.
  static func sha256(_ bytes: [UInt8]) -> String {
    var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
    crypto_hash_sha256(&hash, bytes, UInt64(bytes.count))
    return hash.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }

  private static func chunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
    let content = Array(type.utf8) + body
    return big(UInt32(body.count)) + content + big(crc32(content))
  }

  /// A zlib stream with one uncompressed block of at most 65,535 bytes.
  private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    let length = UInt16(bytes.count)
    func little(_ number: UInt16) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }
    return [0x78, 0x01, 0x01] + little(length) + little(~length) + bytes + big(adler32(bytes))
  }

  private static func big(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  private static func crc32(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { value, _ in value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
  }

  private static func adler32(_ bytes: [UInt8]) -> UInt32 {
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return b << 16 | a
  }
}
