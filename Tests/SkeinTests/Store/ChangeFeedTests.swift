import Testing

@testable import Skein

@Suite("The change feed")
struct ChangeFeedTests {
  @Test("Releasing a savepoint is no commit, and reported changes stay reported")
  func release() {
    let feed = ChangeFeed()
    feed.begin(at: 7)
    feed.publish(.release)
    #expect(feed.version == 7)
  }
}
