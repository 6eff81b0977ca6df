/// A complete WebSocket message.
public struct WebSocketMessage: Sendable, Hashable {
  /// The type of a message's data.
  public enum Kind: Sendable, Hashable {
    /// Valid UTF-8.
    case text
    case binary
  }

  /// The type that the sender declared.
  public let kind: Kind
  /// The data; may be empty.
  public let bytes: [UInt8]

  /// Makes a `.text` message.
  public init(text: String) {
    kind = .text
    bytes = Array(text.utf8)
  }

  /// Makes a `.binary` message.
  public init(binary bytes: [UInt8]) {
    kind = .binary
    self.bytes = bytes
  }

  /// Makes a message from bytes that are known to be valid for `kind`.
  init(kind: Kind, bytes: [UInt8]) {
    self.kind = kind
    self.bytes = bytes
  }

  /// The text of a `.text` message; nil for a `.binary` message.
  public var text: String? {
    kind == .text ? String(validating: bytes, as: UTF8.self) : nil
  }
}
