import Foundation
import Skein
import SkeinSimulation
import Testing

@Suite("A seeded world")
struct WorldTests {
  @Test("The clock advances to the requested time, even if nothing is scheduled")
  func timePasses() {
    let world = World(seed: 1)
    #expect(world.run(for: .seconds(5)))
    #expect(world.now == .seconds(5))
  }

  @Test("When a process is killed, its sleeps end and its remaining code runs to the end")
  func deadProcess() {
    let world = World(seed: 1)
    let process = SimulatedProcess(world)
    let runtime = process.runtime(in: .temporaryDirectory, now: { .init(milliseconds: 0) })
    runtime.spawn {
      do { try await runtime.sleep(for: .seconds(60)) } catch { world.note("ended") }
    }
    #expect(world.run(for: .seconds(1)))
    process.kill()
    #expect(world.drain(process, limit: 100))
    #expect(world.trace.count == 1)
    #expect(world.now == .seconds(1))
  }
}
