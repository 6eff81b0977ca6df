/// Separates Swift code from comments and literals.
///
/// Both results keep every line break and column (in bytes), with spaces in place of omitted parts.
struct SourceScanner {
  /// The code, with comments and the contents of string and regex literals blanked. Interpolated code is
  /// kept.
  private(set) var code: [UInt8]
  /// The comments, with everything else blanked.
  private(set) var comments: [UInt8]

  private let bytes: [UInt8]
  private var index = 0

  /// Scans a whole file.
  init(_ text: String) {
    bytes = Array(text.utf8)
    code = bytes
    comments = bytes.map { $0 == UInt8(ascii: "\n") ? $0 : UInt8(ascii: " ") }
    scanCode(insideParentheses: false)
  }

  private func byte(_ offset: Int = 0) -> UInt8? {
    index + offset < bytes.count ? bytes[index + offset] : nil
  }

  private func isNext(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes[index...].starts(with: $0) }
  }

  /// Moves past `count` bytes and blanks them in the code; line breaks are kept.
  private mutating func skip(_ count: Int = 1, asComment: Bool = false) {
    for _ in 0..<count where index < bytes.count {
      if bytes[index] != UInt8(ascii: "\n") {
        code[index] = UInt8(ascii: " ")
        if asComment { comments[index] = bytes[index] }
      }
      index += 1
    }
  }

  /// Scans code to the end of the file or to the parenthesis that closes an interpolation.
  private mutating func scanCode(insideParentheses: Bool) {
    var depth = 0
    while let current = byte() {
      if isNext("//") {
        while let next = byte(), next != UInt8(ascii: "\n") { skip(asComment: true) }
      } else if isNext("/*") {
        scanBlockComment()
      } else if current == UInt8(ascii: "\"") || current == UInt8(ascii: "#"), let hashes = literalHashes() {
        index += hashes
        if byte() == UInt8(ascii: "/") {
          scanRegex(hashes: hashes)
        } else {
          scanString(hashes: hashes)
        }
      } else if current == UInt8(ascii: "/"), startsBareRegex() {
        scanRegex(hashes: 0)
      } else {
        if current == UInt8(ascii: "(") { depth += 1 }
        if current == UInt8(ascii: ")") {
          if insideParentheses, depth == 0 { return }
          depth -= 1
        }
        index += 1
      }
    }
  }

  private mutating func scanBlockComment() {
    var depth = 0
    while byte() != nil {
      if isNext("/*") {
        depth += 1
        skip(2, asComment: true)
      } else if isNext("*/") {
        depth -= 1
        skip(2, asComment: true)
        if depth == 0 { return }
      } else {
        skip(asComment: true)
      }
    }
  }

  /// The number of `#` before the quote or slash of a literal that starts here; nil if none starts.
  private func literalHashes() -> Int? {
    var hashes = 0
    while byte(hashes) == UInt8(ascii: "#") { hashes += 1 }
    if byte(hashes) == UInt8(ascii: "\"") { return hashes }
    return hashes > 0 && byte(hashes) == UInt8(ascii: "/") ? hashes : nil
  }

  private func hasHashes(_ count: Int, at offset: Int) -> Bool {
    (0..<count).allSatisfy { byte(offset + $0) == UInt8(ascii: "#") }
  }

  private mutating func scanString(hashes: Int) {
    let isMultiline = isNext("\"\"\"")
    let quotes = isMultiline ? 3 : 1
    index += quotes
    while let current = byte() {
      if current == UInt8(ascii: "\\"), hasHashes(hashes, at: 1) {
        skip(1 + hashes)
        if byte() == UInt8(ascii: "(") {
          index += 1
          scanCode(insideParentheses: true)
          index = min(index + 1, bytes.count)
        } else if byte() != UInt8(ascii: "\n") {
          skip()
        }
      } else if current == UInt8(ascii: "\""), !isMultiline || isNext("\"\"\""), hasHashes(hashes, at: quotes)
      {
        index += quotes + hashes
        return
      } else if current == UInt8(ascii: "\n"), !isMultiline {
        return
      } else {
        skip()
      }
    }
  }

  /// Whether a regex literal starts here: in the place of a value, not before a space, and closed on its
  /// line.
  private func startsBareRegex() -> Bool {
    guard let next = byte(1), !" \t\n/*)".utf8.contains(next) else { return false }
    let line = bytes[..<index].reversed().prefix { $0 != UInt8(ascii: "\n") }
    if let before = line.first(where: { $0 != UInt8(ascii: " ") }), !"(,=:[{!&|?;".utf8.contains(before) {
      return false
    }
    var offset = 1
    while let current = byte(offset), current != UInt8(ascii: "\n") {
      if current == UInt8(ascii: "/") { return true }
      offset += current == UInt8(ascii: "\\") ? 2 : 1
    }
    return false
  }

  private mutating func scanRegex(hashes: Int) {
    index += 1
    while let current = byte() {
      if current == UInt8(ascii: "/"), hasHashes(hashes, at: 1) {
        index += 1 + hashes
        return
      }
      if current == UInt8(ascii: "\n"), hashes == 0 { return }
      skip(current == UInt8(ascii: "\\") ? 2 : 1)
    }
  }
}
