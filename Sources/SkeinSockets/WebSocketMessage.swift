/// One whole message of a WebSocket, put together from its fragments.
public struct WebSocketMessage: Sendable, Hashable {
  /// How the other side is to read the bytes.
  public enum Kind: Sendable, Hashable {
    /// Valid UTF-8.
    case text
    case binary
  }

  public let kind: Kind
  public let bytes: [UInt8]

  public init(text: String) {
    kind = .text
    bytes = Array(text.utf8)
  }

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
