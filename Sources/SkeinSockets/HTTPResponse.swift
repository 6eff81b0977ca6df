#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The response of a handler.
public struct HTTPResponse: Sendable {
  /// The body to send; for a `HEAD` request, only the length of the body is sent.
  public enum Content: Sendable {
    case bytes([UInt8])
    /// A file from an offset on, read in chunks while the file is being sent. The status is 404 if the file
    /// can't be opened, or if the offset is at or after the end of the file. Offset 0 is always allowed.
    case file(URL, from: Int = 0)
  }

  /// 200 to 599; any other status is sent as 500.
  public var status: Int
  /// The header fields. The server sets `Content-Length`, `Connection` and `Date` itself; these fields and
  /// `Transfer-Encoding` are ignored here.
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
