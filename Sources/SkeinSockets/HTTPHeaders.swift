/// Header fields in order, with case-insensitive names.
public struct HTTPHeaders: Sendable, ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
  /// One field of a message's head.
  public typealias Field = (name: String, value: String)

  /// All fields, unchanged.
  public private(set) var fields: [Field]

  /// Makes headers without checking the fields. A response with an invalid field is sent as 500. Opening a
  /// WebSocket with an invalid field throws ``SocketError`` `.invalidArgument`.
  public init(_ fields: [Field] = []) {
    self.fields = fields
  }

  /// `[("Accept", "text/html"), …]`
  public init(arrayLiteral fields: Field...) {
    self.fields = fields
  }

  /// `["Accept": "text/html", …]`; a name may occur twice.
  public init(dictionaryLiteral fields: (String, String)...) {
    self.fields = fields.map { (name: $0, value: $1) }
  }

  /// The value of the first field of this name; nil if there is none. Setting a value replaces all
  /// fields of this name, and setting `nil` removes all fields of this name.
  public subscript(name: String) -> String? {
    get { fields.first { Self.equal($0.name, name) }?.value }
    set {
      fields.removeAll { Self.equal($0.name, name) }
      if let newValue { fields.append((name, newValue)) }
    }
  }

  /// Adds a field, and keeps other fields of the same name.
  public mutating func append(_ value: String, for name: String) {
    fields.append((name, value))
  }

  /// Whether each name consists of token characters, and no value has a control character other than the tab.
  var areValid: Bool {
    fields.allSatisfy { name, value in
      !name.isEmpty && name.utf8.allSatisfy(Self.isToken)
        && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }
    }
  }

  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }

  static func equal(_ one: String, _ other: String) -> Bool {
    one.utf8.elementsEqual(other.utf8) { lowercased($0) == lowercased($1) }
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
