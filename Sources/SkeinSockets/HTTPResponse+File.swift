#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension HTTPResponse {
  /// Responds with a file. If the request has a range `bytes=START-`, the response starts at the offset
  /// `START`.
  ///
  /// So a client can resume a download, or play a video from the middle. Every other range is ignored, and so
  /// are the offset 0 and an offset at or after the end of the file. RFC 9110, section 14.2, allows this.
  ///
  /// - Parameters:
  ///   - file: read while it is being sent.
  ///   - size: the file's size in bytes.
  ///   - headers: additional fields.
  public static func file(
    _ file: URL, size: Int64, for request: HTTPRequest, headers: HTTPHeaders
  ) -> HTTPResponse {
    var headers = headers
    headers["Accept-Ranges"] = "bytes"
    guard let start = start(of: request.headers["Range"], size) else {
      return HTTPResponse(status: 200, headers: headers, content: .file(file))
    }
    headers["Content-Range"] = "bytes \(start)-\(size - 1)/\(size)"
    return HTTPResponse(status: 206, headers: headers, content: .file(file, from: Int(start)))
  }

  private static func start(of range: String?, _ size: Int64) -> Int64? {
    guard let range, range.hasPrefix("bytes="), range.hasSuffix("-"),
      let start = Int64(range.dropFirst(6).dropLast()), (1..<max(size, 1)).contains(start)
    else { return nil }
    return start
  }
}
