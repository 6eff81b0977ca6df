import Testing

@testable import SkeinHTTP

@Suite("Reading Retry-After")
struct RetryAfterTests {
  private static let now = "Sun, 06 Nov 1994 08:49:37 GMT"

  @Test("A number is a duration in seconds")
  func seconds() {
    #expect(RetryAfter.duration("0", date: nil) == .zero)
    #expect(RetryAfter.duration("120", date: nil) == .seconds(120))
  }

  @Test("A date is relative to the server's time, not this device's")
  func dates() {
    #expect(RetryAfter.duration("Sun, 06 Nov 1994 08:50:07 GMT", date: Self.now) == .seconds(30))
    #expect(RetryAfter.duration("Sun, 06 Nov 1994 08:49:07 GMT", date: Self.now) == .zero)
  }

  @Test(
    "A wait is at most a day",
    arguments: ["999999999", "1e300", "inf", "Sun, 06 Nov 2094 08:49:37 GMT"])
  func bound(text: String) {
    #expect(RetryAfter.duration(text, date: Self.now) == .seconds(86_400))
  }

  @Test(
    "An unreadable header gives no wait",
    arguments: ["", "soon", "-5", "nan", "Sun, 99 Foo 1994 88:49:37 GMT"])
  func nonsense(text: String) {
    #expect(RetryAfter.duration(text, date: Self.now) == nil)
  }
}
