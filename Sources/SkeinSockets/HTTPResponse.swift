#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What a handler answers.
public struct HTTPResponse: Sendable {
  /// The body to send; a `HEAD` request gets its length and nothing of it.
  public enum Content: Sendable {
    case bytes([UInt8])
    /// Read in chunks while it is sent, from a byte on. A file that can't be opened, or has no such byte, is answered with 404.
    case file(URL, from: Int = 0)
  }

  /// 200 to 599; another is sent as 500.
  public var status: Int
  /// `Content-Length`, `Connection` and `Date` are the server's own; a field of that name is left out.
  public var headers: HTTPHeaders
  /// None of it is sent with 204 and 304.
  public var content: Content

  /// Without content where none is given.
  public init(status: Int, headers: HTTPHeaders = [], content: Content = .bytes([])) {
    self.status = status
    self.headers = headers
    self.content = content
  }
}
