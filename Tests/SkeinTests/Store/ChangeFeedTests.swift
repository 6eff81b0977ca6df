import Testing

@testable import Skein

@Suite("The change feed")
struct ChangeFeedTests {
  @Test("Releasing withheld changes does not lower the change counter")
  func release() {
    let feed = ChangeFeed()
    feed.begin(at: 7)
    feed.publish(.release)
    #expect(feed.version == 7)
  }
}
