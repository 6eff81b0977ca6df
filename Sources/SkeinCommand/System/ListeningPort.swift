import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Checks whether a server can listen, before the server creates any file.
enum ListeningPort {
  /// Binds the port for a moment. Names of network interfaces are not checked.
  ///
  /// - Throws: ``Failure`` with advice, if the port is taken or reserved, or if the address is not a numeric
  ///   address of this machine.
  static func check(_ port: Int, on host: String) throws {
    var hints = addrinfo()
    hints.ai_flags = AI_PASSIVE | AI_NUMERICHOST | AI_NUMERICSERV
    #if canImport(Glibc)
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #else
      hints.ai_socktype = SOCK_STREAM
    #endif
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &list) == 0, let first = list else {
      if if_nametoindex(host) == 0 { throw foreign(host) }
      return
    }
    defer { freeaddrinfo(first) }
    let address = first.pointee
    let descriptor = socket(address.ai_family, address.ai_socktype, address.ai_protocol)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    // Connections of a server that has just ended must not block the port.
    var reuse: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
    guard bind(descriptor, address.ai_addr, address.ai_addrlen) != 0 else { return }
    switch errno {
    case EADDRINUSE: throw Failure("Port \(port) is taken. Choose another one with --port.")
    case EACCES: throw Failure("Port \(port) is reserved for the system. Choose another one with --port.")
    case EADDRNOTAVAIL: throw foreign(host)
    default: return
    }
  }

  private static func foreign(_ host: String) -> Failure {
    Failure("\(host) is not a numeric address of this machine. Choose another one with --host.")
  }
}
