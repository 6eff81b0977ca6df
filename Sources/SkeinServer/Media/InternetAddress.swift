#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// An IP address and port to connect to.
struct InternetAddress: Sendable, Equatable {
  /// The 4 or 16 bytes of the address, with the most significant byte first.
  let bytes: [UInt8]
  let port: UInt16

  /// The address of a socket; nil for a family other than IPv4 and IPv6.
  init?(_ address: UnsafePointer<sockaddr>) {
    let raw = UnsafeRawPointer(address)
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      var address = raw.loadUnaligned(as: sockaddr_in.self)
      bytes = withUnsafeBytes(of: &address.sin_addr) { Array($0) }
      port = UInt16(bigEndian: address.sin_port)
    case AF_INET6:
      var address = raw.loadUnaligned(as: sockaddr_in6.self)
      bytes = withUnsafeBytes(of: &address.sin6_addr) { Array($0) }
      port = UInt16(bigEndian: address.sin6_port)
    default: return nil
    }
  }

  /// Parses the usual text form; nil for any other text.
  init?(_ text: String, port: UInt16) {
    var four = in_addr(), six = in6_addr()
    if inet_pton(AF_INET, text, &four) == 1 {
      bytes = withUnsafeBytes(of: &four) { Array($0) }
    } else if inet_pton(AF_INET6, text, &six) == 1 {
      bytes = withUnsafeBytes(of: &six) { Array($0) }
    } else {
      return nil
    }
    self.port = port
  }

  /// Whether the address is a loopback address.
  var isLoopback: Bool {
    bytes.count == 4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
  }

  /// Whether the address is public. Local, multicast and reserved addresses are not public, and IPv6 forms of
  /// IPv4 addresses are not public either.
  var isPublic: Bool {
    let reserved = bytes.count == 4 ? Self.reservedFour : Self.reservedSix
    // Public IPv6 addresses are in 2000::/3. Loopback, IPv4-mapped, NAT64, local and multicast addresses are
    // outside of this block.
    return (bytes.count == 4 || bytes[0] >> 5 == 1) && !reserved.contains { $0.holds(bytes) }
  }

  private struct Block {
    let prefix: [UInt8]
    let length: Int

    init(_ prefix: UInt8..., length: Int) {
      self.prefix = prefix
      self.length = length
    }

    func holds(_ bytes: [UInt8]) -> Bool {
      (0..<length).allSatisfy { bit in
        let mask = UInt8(0x80) >> (bit % 8)
        let wanted = bit / 8 < prefix.count ? prefix[bit / 8] : 0
        return bytes[bit / 8] & mask == wanted & mask
      }
    }
  }

  private static let reservedFour = [
    Block(0, length: 8), Block(10, length: 8), Block(100, 64, length: 10), Block(127, length: 8),
    Block(169, 254, length: 16), Block(172, 16, length: 12), Block(192, 0, 0, length: 24),
    Block(192, 0, 2, length: 24), Block(192, 88, 99, length: 24), Block(192, 168, length: 16),
    Block(198, 18, length: 15), Block(198, 51, 100, length: 24), Block(203, 0, 113, length: 24),
    Block(224, length: 4), Block(240, length: 4),
  ]

  private static let reservedSix = [
    // In this order: IETF protocol assignments (Teredo included), two blocks for documentation, 6to4.
    Block(0x20, 0x01, length: 23), Block(0x20, 0x01, 0x0D, 0xB8, length: 32), Block(0x3F, 0xFF, length: 20),
    Block(0x20, 0x02, length: 16),
  ]
}
