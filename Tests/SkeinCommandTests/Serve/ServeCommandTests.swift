import Glibc
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

  @Test("The limit of open files is raised as far as the system allows, and never lowered")
  func openFiles() async {
    // A process of its own, since the limit is one of the process.
    await #expect(processExitsWith: .success) {
      var limit = rlimit(rlim_cur: 300, rlim_max: 400)
      #expect(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      for (count, raised) in [(200, 300), (350, 350), (20_000, 400)] {
        OpenFileLimit.raise(to: count)
        #expect(sysconf(Int32(_SC_OPEN_MAX)) == raised)
      }
    }
  }
}
