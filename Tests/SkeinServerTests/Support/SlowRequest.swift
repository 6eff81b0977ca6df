import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A request whose body is sent in parts, over a connection of its own.
final class SlowRequest {
  private let connection: Int32

  /// Sends the head.
  init(_ client: TestClient, _ method: String, _ path: String, bodySize: Int) throws {
    connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(client.port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    let result = withUnsafeBytes(of: &address) { [connection] bytes in
      bytes.withMemoryRebound(to: sockaddr.self) {
        connect(connection, $0.baseAddress, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(result == 0, "errno \(errno)")
    let head = """
      \(method) /v1/\(path) HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(client.token ?? "")\r\n\
      Content-Type: application/octet-stream\r\nContent-Length: \(bodySize)\r\n\r\n
      """
    send(Array(head.utf8)[...])
  }

  deinit { close(connection) }

  /// Sends a part of the body; does nothing if the server has closed the connection.
  func send(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        write(connection, $0.baseAddress, $0.count)
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Waits for the answer, and returns its beginning.
  func answer() -> String {
    var buffer = [UInt8](repeating: 0, count: 1000)
    let count = recv(connection, &buffer, buffer.count, 0)
    return String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
  }
}
