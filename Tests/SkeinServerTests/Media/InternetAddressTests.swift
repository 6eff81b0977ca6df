import Testing

@testable import SkeinServer

struct InternetAddressTests {
  @Test(
    "Reserved and local addresses are not public",
    arguments: [
      "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.0.3",
      "169.254.0.1",
      "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.192", "192.0.2.1", "192.88.99.1",
      "192.168.1.1",
      "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.7", "224.0.0.1", "239.1.2.3", "240.0.0.1",
      "255.255.255.255", "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:8.8.8.8",
      "64:ff9b::7f00:1", "64:ff9b:1::1", "100::1", "2001::1", "2001:1ff::1", "2001:db8::1", "2002:7f00:1::1",
      "3fff::1", "fc00::1", "fd00:ec2::254", "fdff::1", "fe80::1", "fec0::1", "ff02::1",
    ])
  func reserved(_ text: String) throws {
    #expect(try #require(InternetAddress(text, port: 80)).isPublic == false)
  }

  @Test(
    "Addresses next to the reserved blocks are public",
    arguments: [
      "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
      "128.0.0.1",
      "172.15.255.255", "172.32.0.0", "192.167.1.1", "192.169.0.0", "198.17.0.0", "198.20.0.0",
      "223.255.255.255",
      "2001:200::1", "2001:4860:4860::8888", "2606:4700::1111", "2a00:1450::1", "3ffe::1",
    ])
  func given(_ text: String) throws {
    #expect(try #require(InternetAddress(text, port: 80)).isPublic)
  }

  @Test("Only 127.0.0.0/8 and ::1 are loopback")
  func loopback() throws {
    for text in ["127.0.0.1", "127.1.2.3", "::1"] {
      #expect(try #require(InternetAddress(text, port: 80)).isLoopback)
    }
    for text in ["::", "0.0.0.0", "128.0.0.1", "::2", "1::1", "::ffff:127.0.0.1"] {
      #expect(try #require(InternetAddress(text, port: 80)).isLoopback == false)
    }
    #expect(InternetAddress("localhost", port: 80) == nil)
  }
}
