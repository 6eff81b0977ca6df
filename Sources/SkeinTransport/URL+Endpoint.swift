#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension URL {
  /// The address of a call below the address of a server; nil if this is no `http` or `https` address.
  ///
  /// All characters of the parts are escaped except ASCII letters, digits and `-_~`, so that no name from a server can
  /// alter the path.
  ///
  /// - Parameter scheme: `http` or `ws`; an `s` is appended if the server's address has `https`.
  package func endpoint(_ path: [String], _ query: [(String, String)] = [], scheme: String = "http") -> URL? {
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true), parts.host?.isEmpty == false
    else { return nil }
    switch parts.scheme?.lowercased() {
    case "http": parts.scheme = scheme
    case "https": parts.scheme = scheme + "s"
    default: return nil
    }
    let base = parts.percentEncodedPath
    parts.percentEncodedPath =
      (base.hasSuffix("/") ? base : base + "/") + path.map(\.escaped).joined(separator: "/")
    let fields = query.map { "\($0)=\($1.escaped)" }
    parts.percentEncodedQuery = fields.isEmpty ? nil : fields.joined(separator: "&")
    parts.fragment = nil
    return parts.url
  }
}

extension String {
  fileprivate var escaped: String {
    utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"):
        return String(UnicodeScalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        return byte < 16 ? "%0\(digits)" : "%\(digits)"
      }
    }.joined()
  }
}
