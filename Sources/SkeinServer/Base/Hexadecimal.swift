/// Converts bytes to lower-case hexadecimal digits, and single digits to their values.
enum Hexadecimal {
  private static let digits = Array("0123456789abcdef".utf8)

  /// Two digits for each byte.
  static func text(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// The value of an upper-case or lower-case digit; nil for any other byte.
  static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// Whether the byte is one of the digits that `text(_:)` writes.
  static func isLowerDigit(_ byte: UInt8) -> Bool { digits.contains(byte) }
}
