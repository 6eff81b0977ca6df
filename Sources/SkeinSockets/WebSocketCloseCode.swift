/// Why a WebSocket was closed (RFC 6455, section 7.4).
public struct WebSocketCloseCode: RawRepresentable, Hashable, Sendable, ExpressibleByIntegerLiteral {
  /// As it stands in a close frame.
  public let rawValue: UInt16

  /// Any number; see ``canBeSent``.
  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// Any number; see ``canBeSent``.
  public init(integerLiteral value: UInt16) {
    rawValue = value
  }

  /// All is said.
  public static let normal: WebSocketCloseCode = 1000
  /// The server stops, or the user leaves.
  public static let goingAway: WebSocketCloseCode = 1001
  /// Frames that break the rules.
  public static let protocolError: WebSocketCloseCode = 1002
  /// A kind of message that isn't taken.
  public static let unsupportedData: WebSocketCloseCode = 1003
  /// The close frame held no code; never sent.
  public static let noStatus: WebSocketCloseCode = 1005
  /// The connection ended without a close frame; never sent.
  public static let abnormal: WebSocketCloseCode = 1006
  /// Text that is not UTF-8.
  public static let invalidPayload: WebSocketCloseCode = 1007
  /// What no other code says.
  public static let policyViolation: WebSocketCloseCode = 1008
  /// A message beyond the limit.
  public static let messageTooBig: WebSocketCloseCode = 1009
  /// The server can't go on.
  public static let internalError: WebSocketCloseCode = 1011

  /// Whether a close frame may carry it.
  public var canBeSent: Bool {
    switch rawValue {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }
}

/// How a WebSocket ended.
public struct WebSocketClosing: Sendable, Hashable {
  /// Of whichever side closed first.
  public let code: WebSocketCloseCode
  /// At most 123 bytes of UTF-8.
  public let reason: String

  /// For doubles of a connection.
  public init(code: WebSocketCloseCode, reason: String = "") {
    self.code = code
    self.reason = reason
  }
}

extension String {
  /// The longest beginning of whole characters within `limit` bytes of UTF-8.
  func prefix(bytes limit: Int) -> String {
    var result = self
    while result.utf8.count > limit { result.removeLast() }
    return result
  }
}
