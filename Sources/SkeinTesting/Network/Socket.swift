import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The TCP calls of ``Relay`` and ``ServerCommand``, on the loopback interface. `accept`, `connect`, `read`
/// and `write` block the calling thread.
enum Socket {
  /// Returns a socket that listens on a free port.
  static func listen() throws -> (descriptor: Int32, port: Int) {
    let descriptor = make()
    var address = address(port: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withPointer(to: &address) {
      descriptor >= 0 && bind(descriptor, $0, length) == 0 && systemListen(descriptor) == 0
        && getsockname(descriptor, $0, &length) == 0
    }
    guard isListening else {
      let error = POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      close(descriptor)
      throw error
    }
    return (descriptor, Int(in_port_t(bigEndian: address.sin_port)))
  }

  /// Waits for the next connection and returns it; nil if the socket fails.
  static func accept(_ listener: Int32) -> Int32? {
    while true {
      let descriptor = systemAccept(listener)
      if descriptor >= 0 { return configured(descriptor) }
      if errno != EINTR, errno != ECONNABORTED { return nil }
    }
  }

  /// Returns a connection to a port of this machine; nil if connecting fails.
  static func connect(toPort port: Int) -> Int32? {
    let descriptor = make()
    guard descriptor >= 0 else { return nil }
    var address = address(port: port)
    let isConnected = withPointer(to: &address) {
      systemConnect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
    }
    if isConnected { return configured(descriptor) }
    close(descriptor)
    return nil
  }

  /// Waits for bytes and returns them; empty at the end of the connection.
  static func read(_ descriptor: Int32) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = systemRead(descriptor, &bytes, bytes.count)
      if count >= 0 { return Array(bytes.prefix(count)) }
      if errno != EINTR { return [] }
    }
  }

  /// Writes all bytes; returns false if the connection has ended.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemSend(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Ends both directions, which wakes the threads that use the socket.
  static func end(_ descriptor: Int32) { shutdown(descriptor, Int32(SHUT_RDWR)) }

  static func close(_ descriptor: Int32) { if descriptor >= 0 { systemClose(descriptor) } }

  private static func make() -> Int32 {
    #if canImport(Glibc)
      socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      socket(AF_INET, SOCK_STREAM, 0)
    #endif
  }

  private static func configured(_ descriptor: Int32) -> Int32 {
    var on: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    // A request's head and body are two pieces; the body must not wait until the head is acknowledged.
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, size)
    #if canImport(Darwin)
      setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, size)
    #endif
    return descriptor
  }

  private static func address(port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(truncatingIfNeeded: port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    return address
  }

  private static func withPointer<Value>(
    to address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>) -> Value
  ) -> Value {
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
    }
  }
}

// The C library's calls under other names, since the methods above hide these calls.
private func systemListen(_ descriptor: Int32) -> Int32 { listen(descriptor, 64) }
private func systemAccept(_ descriptor: Int32) -> Int32 { accept(descriptor, nil, nil) }
private func systemClose(_ descriptor: Int32) { close(descriptor) }
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
  recv(descriptor, bytes, count, 0)
}
private func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  #if canImport(Darwin)
    send(descriptor, bytes, count, 0)
  #else
    send(descriptor, bytes, count, Int32(MSG_NOSIGNAL))
  #endif
}
private func systemConnect(
  _ descriptor: Int32, _ address: UnsafeMutablePointer<sockaddr>, _ length: socklen_t
) -> Int32 {
  connect(descriptor, address, length)
}
