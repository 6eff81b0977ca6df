#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The response of a handler.
public struct HTTPResponse: Sendable {
  /// The body to send; for a `HEAD` request only its length is sent.
  public enum Content: Sendable {
    case bytes([UInt8])
    /// Read in chunks while it is being sent, from an offset on. If the file can't be opened or ends before
    /// the offset, the status is 404.
    case file(URL, from: Int = 0)
  }

  /// 200 to 599; any other is sent as 500.
  public var status: Int
  /// Header fields, except `Content-Length`, `Connection` and `Date`, which the server sets.
  public var headers: HTTPHeaders
  /// The body; not sent with 204 and 304.
  public var content: Content

  /// Makes a response, by default without content.
  public init(status: Int, headers: HTTPHeaders = [], content: Content = .bytes([])) {
    self.status = status
    self.headers = headers
    self.content = content
  }
}
