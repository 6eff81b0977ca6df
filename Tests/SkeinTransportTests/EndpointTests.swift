import Foundation
import SkeinTransport
import Testing

@Suite("The address of a call")
struct EndpointTests {
  @Test("No part can alter the path or the query")
  func escaped() throws {
    let server = try #require(URL(string: "https://example.org/chat#top"))
    let url = server.endpoint(["a/b?", "..", "ü"], [("q", "1&x=2 #")])
    #expect(url?.absoluteString == "https://example.org/chat/a%2Fb%3F/%2E%2E/%C3%BC?q=1%26x%3D2%20%23")
  }

  @Test("The address of a WebSocket is secure if the server's address is")
  func sockets() throws {
    #expect(URL(string: "HTTP://h:1/")?.endpoint(["s"], scheme: "ws")?.absoluteString == "ws://h:1/s")
    #expect(URL(string: "https://h")?.endpoint(["s"], scheme: "ws")?.absoluteString == "wss://h/s")
  }

  @Test("Other addresses have no calls", arguments: ["ftp://h", "http://", "/path"])
  func unusable(_ text: String) { #expect(URL(string: text)?.endpoint(["a"]) == nil) }
}
