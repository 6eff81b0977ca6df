#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension HTTPResponse {
  /// A file, whole or from the byte on that the request's one range `bytes=START-` begins with: so a download goes on where it was
  /// cut, and a film can be watched from its middle. Any other range is answered with all of it, as RFC 9110, 14.2, allows.
  ///
  /// - Parameters:
  ///   - file: read while it is sent.
  ///   - size: the file's, in bytes.
  ///   - headers: beside those of the range.
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
