import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The TCP calls that a proxy needs. `accept`, `connect` and `write` block their thread.
enum StreamSocket {
  /// A socket that listens on the loopback interface, and its port.
  ///
  /// - Throws: ``Failure`` if no socket can listen on the port, for example because the port is taken.
  static func listen(_ port: Int) throws -> (descriptor: Int32, port: Int) {
    let descriptor = make(AF_INET, 0)
    var reuse: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withSocketAddress(of: &address) { bind(descriptor, $0, length) == 0 }
    guard isBound, systemListen(descriptor) == 0,
      withSocketAddress(of: &address, { getsockname(descriptor, $0, &length) }) == 0
    else {
      close(descriptor)
      throw Failure("The proxy can't listen on port \(port). Choose another one with --port.")
    }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
  }

  /// The next connection; nil once the socket is shut down, or after an error.
  static func accept(_ listener: Int32) -> Int32? {
    while true {
      let descriptor = systemAccept(listener)
      if descriptor >= 0 { return descriptor }
      if errno != EINTR, errno != ECONNABORTED { return nil }
    }
  }

  /// A connection to a server; nil if none can be made.
  static func connect(_ host: String, _ port: Int) -> Int32? {
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), nil, &list) == 0, let list else { return nil }
    defer { freeaddrinfo(list) }
    var next: UnsafeMutablePointer<addrinfo>? = list
    while let address = next?.pointee {
      let descriptor = make(address.ai_family, address.ai_protocol)
      if systemConnect(descriptor, address.ai_addr, address.ai_addrlen) == 0 { return descriptor }
      close(descriptor)
      next = address.ai_next
    }
    return nil
  }

  /// Writes all bytes; false if the other side is gone.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Ends both directions; the descriptor stays open.
  static func cut(_ descriptor: Int32) { shutdown(descriptor, Int32(SHUT_RDWR)) }

  static func close(_ descriptor: Int32) { systemClose(descriptor) }

  private static func make(_ family: Int32, _ transport: Int32) -> Int32 {
    #if canImport(Glibc)
      socket(family, Int32(SOCK_STREAM.rawValue), transport)
    #else
      socket(family, SOCK_STREAM, transport)
    #endif
  }

  private static func withSocketAddress<T>(
    of address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>) -> T
  ) -> T {
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
    }
  }
}

// The C library's calls under other names, since the methods above hide them.
private func systemListen(_ descriptor: Int32) -> Int32 { listen(descriptor, 64) }
private func systemAccept(_ descriptor: Int32) -> Int32 { accept(descriptor, nil, nil) }
private func systemClose(_ descriptor: Int32) { close(descriptor) }
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
private func systemConnect(
  _ descriptor: Int32, _ address: UnsafeMutablePointer<sockaddr>?, _ length: socklen_t
) -> Int32 {
  connect(descriptor, address, length)
}
