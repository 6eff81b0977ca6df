/// Validates a JSON text (RFC 8259) in one pass, without recursion and without building its values.
///
/// The server stores a message's content byte for byte, and only has to know that every client can parse the
/// content.
struct JSONText {
  private let bytes: [UInt8]
  private var at = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns whether the bytes, which must be UTF-8, are one JSON value, nested at most `depth` deep.
  static func accepts(_ bytes: [UInt8], depth: Int = 100) -> Bool {
    var text = JSONText(bytes)
    return text.value(depth: depth)
  }

  private mutating func value(depth: Int) -> Bool {
    var closings: [UInt8] = []
    while true {
      skipSpace()
      if consume("{") || consume("[") {
        let closing = bytes[at - 1] == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]")
        guard closings.count < depth else { return false }
        closings.append(closing)
        skipSpace()
        if peek != closing {
          guard closing == UInt8(ascii: "]") || key() else { return false }
          continue
        }
      } else if !scalar() {
        return false
      }
      guard let more = close(&closings) else { return false }
      if !more { return true }
    }
  }

  /// Consumes the closing brackets after a value, and the comma and the key before the next value. Returns
  /// true if another value must follow, false at the end of the text, and nil if the text is invalid.
  private mutating func close(_ closings: inout [UInt8]) -> Bool? {
    while true {
      skipSpace()
      guard let closing = closings.last else { return peek == nil ? false : nil }
      if peek == closing {
        at += 1
        closings.removeLast()
      } else if consume(",") {
        skipSpace()
        return closing == UInt8(ascii: "]") || key() ? true : nil
      } else {
        return nil
      }
    }
  }

  private mutating func key() -> Bool {
    guard string() else { return false }
    skipSpace()
    return consume(":")
  }

  private mutating func scalar() -> Bool {
    switch peek {
    case UInt8(ascii: "\""): string()
    case UInt8(ascii: "t"): word("true")
    case UInt8(ascii: "f"): word("false")
    case UInt8(ascii: "n"): word("null")
    default: number()
    }
  }

  private mutating func string() -> Bool {
    guard consume("\"") else { return false }
    while let byte = peek, byte >= 0x20 {
      at += 1
      if byte == UInt8(ascii: "\"") { return true }
      if byte == UInt8(ascii: "\\") {
        guard let escape = peek else { return false }
        at += 1
        switch escape {
        case UInt8(ascii: "u"):
          for _ in 0..<4 {
            guard let digit = peek, Hexadecimal.value(of: digit) != nil else { return false }
            at += 1
          }
        case _ where "\"\\/bfnrt".utf8.contains(escape): break
        default: return false
        }
      }
    }
    return false
  }

  private mutating func number() -> Bool {
    _ = consume("-")
    guard consume("0") || digits() else { return false }
    if consume("."), !digits() { return false }
    if consume("e") || consume("E") {
      _ = consume("+") || consume("-")
      return digits()
    }
    return true
  }

  private mutating func digits() -> Bool {
    let start = at
    while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { at += 1 }
    return at > start
  }

  private mutating func word(_ word: StaticString) -> Bool {
    let length = word.utf8CodeUnitCount
    guard bytes[at...].prefix(length).elementsEqual(word.description.utf8) else { return false }
    at += length
    return true
  }

  private var peek: UInt8? { at < bytes.count ? bytes[at] : nil }

  private mutating func consume(_ character: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: character) else { return false }
    at += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || (0x09...0x0A).contains(byte) || byte == 0x0D { at += 1 }
  }
}
