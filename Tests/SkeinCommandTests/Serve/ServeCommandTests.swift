import SkeinServer
import Testing

@testable import SkeinCommand

@Suite("Serving from the command line")
struct ServeCommandTests {
  @Test(
    "A clock that is set back by days keeps the time of day, and a sleep ends at the time that this clock shows"
  )
  func clock() async throws {
    let clock = ServerClock(
      now: { 10 * 86_400_000 + 5 },
      sleep: { time in if time != 10 * 86_400_000 + 9 { throw CancellationError() } })
    let back = clock.set(backDays: 3)
    #expect(back.now() == 7 * 86_400_000 + 5)
    try await back.sleep(7 * 86_400_000 + 9)
    #expect(clock.set(backDays: 0).now() == clock.now())
  }
}
