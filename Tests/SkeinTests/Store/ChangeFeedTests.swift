import Testing

@testable import Skein

@Suite("The change feed")
struct ChangeFeedTests {
  @Test("A release is no commit: what was told stays told")
  func release() {
    let feed = ChangeFeed()
    feed.begin(at: 7)
    feed.publish(.release)
    #expect(feed.version == 7)
  }
}
