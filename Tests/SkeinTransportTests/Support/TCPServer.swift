#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import Foundation
import Synchronization

/// A TCP server on the loopback interface that serves each connection on a thread of its own.
final class TCPServer: Sendable {
  let port: Int
  private let listener: Int32
  private let accepted = Mutex(0)

  /// The number of connections so far.
  var connections: Int { accepted.withLock { $0 } }

  init(_ serve: @escaping @Sendable (Connection) -> Void) throws {
    (listener, port) = try Self.listening()
    Thread.detachNewThread { [listener, weak self] in
      while case let socket = accept(listener, nil, nil), socket >= 0 {
        self?.accepted.withLock { $0 += 1 }
        Thread.detachNewThread {
          serve(Connection(socket: socket))
          close(socket)
        }
      }
      close(listener)
    }
  }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  func url(_ path: String = "") throws -> URL {
    guard let url = URL(string: "http://127.0.0.1:\(port)/\(path)") else { throw URLError(.badURL) }
    return url
  }

  private static func listening() throws -> (Int32, Int) {
    let (listener, port) = try bound()
    guard listen(listener, 64) == 0 else { throw POSIXError(.EIO) }
    return (listener, port)
  }

  /// A socket that is bound to a free port and does not listen.
  static func bound() throws -> (socket: Int32, port: Int) {
    let bound = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutableBytes(of: &address) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) {
        bind(bound, $0.baseAddress, length) + getsockname(bound, $0.baseAddress, &length)
      }
    }
    guard result == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    return (bound, Int(in_port_t(bigEndian: address.sin_port)))
  }
}

/// One connection of a `TCPServer`, used by its thread.
struct Connection {
  let socket: Int32

  /// The head of the next request; nil if the other side has closed. Reads nothing after the head.
  func head() -> String? {
    var head: [UInt8] = []
    while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      var byte: UInt8 = 0
      guard recv(socket, &byte, 1, 0) == 1 else { return nil }
      head.append(byte)
    }
    return String(decoding: head, as: UTF8.self)
  }

  /// Reads this many bytes; returns how many came before the other side closed.
  @discardableResult
  func read(_ count: Int) -> Int {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    var rest = count
    while rest > 0, case let length = recv(socket, &buffer, min(buffer.count, rest), 0), length > 0 {
      rest -= length
    }
    return count - rest
  }

  /// The next bytes, at most this many; empty if the other side has closed.
  func bytes(upTo count: Int) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: min(count, 64 << 10))
    let length = recv(socket, &buffer, buffer.count, 0)
    return Array(buffer.prefix(max(length, 0)))
  }

  /// Returns when the other side has closed.
  func untilClosed() { while read(64 << 10) > 0 {} }

  @discardableResult
  func say(_ text: String) -> Bool { say(Array(text.utf8)) }

  @discardableResult
  func say(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        send(socket, $0.baseAddress.map { $0 + sent }, $0.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// Sends a complete answer; the connection stays open.
  @discardableResult
  func answer(_ body: String = "", status: String = "200 OK", headers: String = "") -> Bool {
    say("HTTP/1.1 \(status)\r\n\(headers)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
  }

  /// Makes the close of the connection a reset.
  func reset() {
    var off = linger(l_onoff: 1, l_linger: 0)
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &off, socklen_t(MemoryLayout<linger>.size))
  }
}
