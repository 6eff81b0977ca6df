#if os(Linux)
  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// The parts of a WebSocket URL, as libwebsockets needs them.
  struct WebSocketTarget: Sendable, Equatable {
    let isSecure: Bool
    /// A host name or a numeric address.
    let name: String
    let port: Int
    /// The path and the query.
    let path: String
    /// The value of the `Host` field. The port is included unless it is the scheme's default port.
    let host: String

    init(_ url: URL) throws {
      let invalid = SocketError(
        .invalidArgument,
        "A WebSocket URL needs the scheme ws or wss, a host, and a port from 1 to 65535 if it has one.")
      guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { throw invalid }
      switch parts.scheme?.lowercased() {
      case "ws": isSecure = false
      case "wss": isSecure = true
      default: throw invalid
      }
      guard let host = parts.percentEncodedHost, !host.isEmpty else { throw invalid }
      name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
      let usual = isSecure ? 443 : 80
      port = parts.port ?? usual
      guard (1...65535).contains(port) else { throw invalid }
      self.host = port == usual ? host : "\(host):\(port)"
      let query = parts.percentEncodedQuery.map { "?\($0)" } ?? ""
      path = (parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath) + query
    }
  }
#endif
