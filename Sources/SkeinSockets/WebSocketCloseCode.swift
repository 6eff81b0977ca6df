/// A WebSocket's close code (RFC 6455, section 7.4).
public struct WebSocketCloseCode: RawRepresentable, Hashable, Sendable, ExpressibleByIntegerLiteral {
  /// The number in a close frame.
  public let rawValue: UInt16

  /// Makes any code; see ``canBeSent``.
  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// Makes any code; see ``canBeSent``.
  public init(integerLiteral value: UInt16) {
    rawValue = value
  }

  /// The connection has served its purpose.
  public static let normal: WebSocketCloseCode = 1000
  /// The server stops, or the user leaves.
  public static let goingAway: WebSocketCloseCode = 1001
  /// Frames that violate the protocol.
  public static let protocolError: WebSocketCloseCode = 1002
  /// A kind of message that is not supported.
  public static let unsupportedData: WebSocketCloseCode = 1003
  /// The close frame held no code; never sent.
  public static let noStatus: WebSocketCloseCode = 1005
  /// The connection ended without a close frame; never sent.
  public static let abnormal: WebSocketCloseCode = 1006
  /// Text that is not valid UTF-8.
  public static let invalidPayload: WebSocketCloseCode = 1007
  /// A violation that no other code describes.
  public static let policyViolation: WebSocketCloseCode = 1008
  /// A message that exceeds the limit.
  public static let messageTooBig: WebSocketCloseCode = 1009
  /// The server failed.
  public static let internalError: WebSocketCloseCode = 1011

  /// Whether a close frame may contain this code.
  public var canBeSent: Bool {
    switch rawValue {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }
}

/// The code and reason with which a WebSocket was closed.
public struct WebSocketClosing: Sendable, Hashable {
  /// The code of the side that closed first.
  public let code: WebSocketCloseCode
  /// At most 123 bytes of UTF-8.
  public let reason: String

  /// Makes a value.
  public init(code: WebSocketCloseCode, reason: String = "") {
    self.code = code
    self.reason = reason
  }
}

extension String {
  /// Returns the longest prefix of whole characters that has at most `limit` bytes of UTF-8.
  func prefix(bytes limit: Int) -> String {
    var result = self
    while result.utf8.count > limit { result.removeLast() }
    return result
  }
}
