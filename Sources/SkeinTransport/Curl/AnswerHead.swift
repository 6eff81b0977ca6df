/// The head of an answer, read line by line.
struct AnswerHead {
  private(set) var status = 0
  private(set) var fields: [(name: String, value: String)] = []
  /// Whether the last line was the end of the head of the final answer.
  private(set) var isComplete = false
  private var isOver = false
  private var size = 0

  /// The maximum size in bytes of all heads of one answer, together with the fields after the body.
  static let maximumSize = 256 << 10

  /// Reads a line with its line break. Returns false if the head is too long.
  mutating func read(_ line: UnsafeRawBufferPointer) -> Bool {
    size += line.count
    guard size <= Self.maximumSize else { return false }
    isComplete = false
    // Fields after the body are ignored.
    guard !isOver else { return true }
    let end = line.lastIndex { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
    guard let end else {
      // An interim answer, such as 100, is followed by another head.
      isComplete = status >= 200
      isOver = isComplete
      return true
    }
    let text = line[...end]
    if text.starts(with: "HTTP/".utf8) {
      (status, fields) = (Self.status(in: text), [])
    } else if let colon = text.firstIndex(of: UInt8(ascii: ":")) {
      fields.append((Self.trimmed(text[..<colon]), Self.trimmed(text[(colon + 1)...])))
    }
    return true
  }

  private static func status(in line: Slice<UnsafeRawBufferPointer>) -> Int {
    let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: true)
    return parts.count > 1 ? Int(String(decoding: parts[1], as: UTF8.self)) ?? 0 : 0
  }

  private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    guard let first = bytes.firstIndex(where: { !isSpace($0) }),
      let last = bytes.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(decoding: bytes[first...last], as: UTF8.self)
  }
}
