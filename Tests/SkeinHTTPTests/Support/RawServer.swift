#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import Foundation

/// A local port without a listener. No other test can get the port while this object exists.
final class ReservedPort: Sendable {
  let number: Int
  private let holder: Int32

  init() throws {
    holder = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = RawServer.address(port: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutableBytes(of: &address) { [holder] bytes in
      bytes.withMemoryRebound(to: sockaddr.self) { pointer in
        bind(holder, pointer.baseAddress, length) + getsockname(holder, pointer.baseAddress, &length)
      }
    }
    guard result == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    number = Int(in_port_t(bigEndian: address.sin_port))
  }

  deinit { close(holder) }
}

/// Accepts TCP connections one at a time, reads the head of a request from each, and then misbehaves.
final class RawServer: Sendable {
  enum Behaviour: Sendable {
    /// Resets the connection without an answer.
    case reset
    /// Sends this text and closes.
    case say(String)
    /// Sends this text and keeps the connection open until the other side closes it.
    case sayAndStay(String)
    /// Forwards the request to the server at this port, and the server's answer until the forwarded bytes
    /// contain this text. Then forwards nothing more, like a connection that has died silently.
    case relay(port: Int, until: String)
    /// Forwards everything to and from the server at this port, until the server sends this text. Then closes
    /// both connections without forwarding the text.
    case cut(port: Int, before: String)
  }

  let port: Int
  private let listener: Int32

  init(_ behaviour: Behaviour) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = Self.address(port: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutableBytes(of: &address) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) { pointer in
        bind(listener, pointer.baseAddress, length) + listen(listener, 8)
          + getsockname(listener, pointer.baseAddress, &length)
      }
    }
    guard result == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    self.listener = listener
    port = Int(in_port_t(bigEndian: address.sin_port))
    Thread.detachNewThread {
      while case let connection = accept(listener, nil, nil), connection >= 0 {
        Self.serve(connection, behaviour)
        close(connection)
      }
      close(listener)
    }
  }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  fileprivate static func address(port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    return address
  }

  private static func serve(_ connection: Int32, _ behaviour: Behaviour) {
    var head: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while head.firstRange(of: Array("\r\n\r\n".utf8)) == nil {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return }
      head += buffer.prefix(count)
    }
    switch behaviour {
    case .reset:
      var off = linger(l_onoff: 1, l_linger: 0)
      setsockopt(connection, SOL_SOCKET, SO_LINGER, &off, socklen_t(MemoryLayout<linger>.size))
    case .say(let text):
      _ = say(Array(text.utf8), to: connection)
    case .sayAndStay(let text):
      guard say(Array(text.utf8), to: connection) else { return }
      while recv(connection, &buffer, buffer.count, 0) > 0 {}
    case .relay(let port, let word):
      relay(head, from: connection, toPort: port, until: word)
    case .cut(let port, let word):
      relay(head, between: connection, andPort: port, before: word)
    }
  }

  private static func relay(
    _ head: [UInt8], between connection: Int32, andPort port: Int, before word: String
  ) {
    let upstream = connected(toPort: port)
    defer { close(upstream) }
    guard say(head, to: upstream) else { return }
    var seen: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    var sides = [connection, upstream].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while poll(&sides, nfds_t(sides.count), -1) > 0 {
      for (side, other) in [(0, upstream), (1, connection)] where sides[side].revents != 0 {
        let count = recv(sides[side].fd, &buffer, buffer.count, 0)
        guard count > 0 else { return }
        if side == 1 { seen += buffer.prefix(count) }
        guard seen.firstRange(of: Array(word.utf8)) == nil, say(Array(buffer.prefix(count)), to: other)
        else { return }
      }
    }
  }

  /// A connection to this port; if connecting fails, its first use fails.
  private static func connected(toPort port: Int) -> Int32 {
    let upstream = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = address(port: port)
    _ = withUnsafeBytes(of: &address) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) {
        connect(upstream, $0.baseAddress, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    return upstream
  }

  private static func relay(_ head: [UInt8], from connection: Int32, toPort port: Int, until word: String) {
    let upstream = connected(toPort: port)
    defer { close(upstream) }
    guard say(head, to: upstream) else { return }
    var seen: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while seen.firstRange(of: Array(word.utf8)) == nil {
      let count = recv(upstream, &buffer, buffer.count, 0)
      guard count > 0, say(Array(buffer.prefix(count)), to: connection) else { return }
      seen += buffer.prefix(count)
    }
    while recv(connection, &buffer, buffer.count, 0) > 0 {}
  }

  private static func say(_ bytes: [UInt8], to connection: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
