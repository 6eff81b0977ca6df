#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
extension WebSocket {
  static func open(_ url: URL, headers: HTTPHeaders, options: WebSocketOptions) async throws
    -> any WebSocketConnection
  {
    throw SocketError(.cannotConnect, "Not on this platform.")
  }
}
