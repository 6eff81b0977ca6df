#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
import SkeinModel

/// A request of an ``HTTPTransport``.
public struct TransportRequest: Sendable {
  /// The body of a request.
  public enum Body: Sendable {
    case bytes([UInt8])
    /// A part of a file, from an offset on; without `count`, the rest of the file. Linux reads the file while
    /// sending; Apple platforms first read the whole part into memory.
    case file(URL, from: Int64 = 0, count: Int64? = nil)
  }

  /// In upper case: `GET`, `HEAD`, `POST`, `PUT`, `PATCH`, `DELETE`.
  public var method: String
  /// An `http` or `https` address.
  public var url: URL
  /// The header fields. The transport sets `Host` and `Content-Length` itself.
  public var headers: [(name: String, value: String)]
  /// The body; nil for a request without a body.
  public var body: Body?
  /// The longest time until the complete answer; if nil, only ``TransportOptions/idleTimeout`` applies.
  public var deadline: Duration?
  /// The longest time without a transferred byte; if nil, ``TransportOptions/idleTimeout`` applies.
  public var idleTimeout: Duration?
  /// Whether the transport may send the request again if a connection that was kept open breaks before the
  /// first byte of the answer. The server may then receive the request twice. True by default for `GET` and
  /// `HEAD`.
  public var isRepeatable: Bool

  /// Creates a request.
  public init(
    _ method: String = "GET", _ url: URL, headers: [(name: String, value: String)] = [], body: Body? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    isRepeatable = method == "GET" || method == "HEAD"
  }

  /// Returns the request, or throws `permanent` if its address, method or headers can't be sent. A line break
  /// in the method or in a header would add lines to the request.
  func checked() throws -> TransportRequest {
    guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
      url.host()?.isEmpty == false
    else { throw BackendError(.permanent, "The address can't be used.") }
    let areNames = ([method] + headers.map(\.name)).allSatisfy { name in
      !name.isEmpty && name.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ":") }
    }
    let areLines = headers.allSatisfy { $0.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 } }
    guard areNames, areLines else {
      throw BackendError(.permanent, "A header of the request can't be sent.")
    }
    return self
  }
}
