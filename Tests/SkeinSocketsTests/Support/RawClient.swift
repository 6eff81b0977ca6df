import Glibc
import Testing

/// A TCP connection that can send any bytes and stop at any point.
final class RawClient: Sendable {
  private let descriptor: Int32

  init(port: Int, receiveBuffer: Int32? = nil) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    if var receiveBuffer {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    let result = withUnsafeBytes(of: &address) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) {
        connect(descriptor, $0.baseAddress, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(result == 0, "errno \(errno)")
  }

  deinit {
    close(descriptor)
  }

  /// Sends as much as the socket accepts now. Returns the number of bytes; `nil` if the connection is broken.
  func sendSome(_ bytes: ArraySlice<UInt8>) -> Int? {
    let count = bytes.withUnsafeBytes {
      Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }
    return count >= 0 ? count : errno == EAGAIN ? 0 : nil
  }

  /// Returns the number of bytes sent, -1 for a broken connection, `nil` to try again.
  private func sendCount(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let count = sendSome(bytes) else { return -1 }
    return count == 0 ? nil : count
  }

  /// Sends all bytes, or stops when the connection breaks.
  func send(_ bytes: [UInt8]) async throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = try await eventually("the server takes bytes") { sendCount(rest) }
      if count < 0 { return }
      rest = rest.dropFirst(count)
    }
  }

  func send(_ text: String) async throws {
    try await send(Array(text.utf8))
  }

  /// Returns the received bytes; empty at the end, `nil` if there are none yet.
  func receiveSome(_ limit: Int = 64 << 10) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: limit)
    let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    if count < 0 { return errno == EAGAIN ? nil : [] }
    return Array(buffer.prefix(count))
  }

  /// Reads until `isEnough` or the end.
  func receive(until isEnough: ([UInt8]) -> Bool) async throws -> [UInt8] {
    var all: [UInt8] = []
    while !isEnough(all) {
      let some = try await eventually("the server sends") { receiveSome() }
      if some.isEmpty { break }
      all += some
    }
    return all
  }

  /// Reads to the end of the connection.
  func receiveAll() async throws -> String {
    String(decoding: try await receive { _ in false }, as: UTF8.self)
  }

  /// Reads one response with its body.
  func response() async throws -> RawResponse {
    var response: RawResponse?
    _ = try await receive { bytes in
      response = RawResponse(bytes)
      return response != nil
    }
    return try #require(response)
  }

  func endSending() {
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Ends the connection at once; a reset follows when the client is released.
  func reset() {
    var off = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &off, socklen_t(MemoryLayout<linger>.size))
    shutdown(descriptor, Int32(SHUT_RDWR))
  }
}

/// A parsed response.
struct RawResponse {
  let status: Int
  let head: String
  let body: [UInt8]
  /// The bytes after the response.
  let rest: [UInt8]

  /// Parses a response; `nil` if it is incomplete.
  init?(_ bytes: [UInt8], isHead: Bool = false) {
    guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
    let words = head.split(separator: " ", maxSplits: 2)
    guard words.count > 1, let status = Int(words[1]) else { return nil }
    self.status = status
    var length = 0
    for line in head.split(separator: "\r\n") where line.lowercased().hasPrefix("content-length: ") {
      length = Int(line.dropFirst(16)) ?? 0
    }
    if isHead { length = 0 }
    guard bytes.count >= end.upperBound + length else { return nil }
    body = Array(bytes[end.upperBound..<end.upperBound + length])
    rest = Array(bytes[(end.upperBound + length)...])
  }

  var text: String { String(decoding: body, as: UTF8.self) }
}
