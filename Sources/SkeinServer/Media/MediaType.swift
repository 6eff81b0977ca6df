/// Validation of a media type in a header.
enum MediaType {
  /// Whether the text is `type/subtype`, with or without parameters, in at most 255 printable ASCII characters.
  static func isValid(_ text: String) -> Bool {
    let names = text.prefix { $0 != ";" }.split(separator: "/", omittingEmptySubsequences: false)
    return text.utf8.count <= 255 && text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && names.count == 2
      && names.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(isNameByte) }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: "!#$&-^_.+".utf8.contains(byte)
    }
  }
}
