/// One whole message of a WebSocket, put together from its fragments.
public struct WebSocketMessage: Sendable, Hashable {
  /// How the other side is to read the bytes.
  public enum Kind: Sendable, Hashable {
    /// Valid UTF-8.
    case text
    case binary
  }

  /// As the sender marked it.
  public let kind: Kind
  /// All of them; may be none.
  public let bytes: [UInt8]

  /// A `.text` message.
  public init(text: String) {
    kind = .text
    bytes = Array(text.utf8)
  }

  /// A `.binary` message.
  public init(binary bytes: [UInt8]) {
    kind = .binary
    self.bytes = bytes
  }

  /// For bytes that are known to be valid for `kind`.
  init(kind: Kind, bytes: [UInt8]) {
    self.kind = kind
    self.bytes = bytes
  }

  /// The text of a `.text` message.
  public var text: String? {
    kind == .text ? String(validating: bytes, as: UTF8.self) : nil
  }
}
