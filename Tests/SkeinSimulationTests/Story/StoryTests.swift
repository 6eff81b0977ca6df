import Dispatch
import Foundation
import SkeinSimulation
import Synchronization
import Testing

@Suite("The story of a seed")
struct StoryTests {
  @Test("The same seed gives the same story, and another seed gives another story")
  func sameSeed() async throws {
    let first = try await play(7)
    let second = try await play(7)
    #expect(first.hash == second.hash)
    #expect(first.jobs == second.jobs)
    #expect(first.steps >= 300)
    #expect(first.faults.values.reduce(0) { $0 + $1.values.reduce(0, +) } >= 5)
    #expect(try await play(8).hash != first.hash)
  }

  @Test("Connections that outlive processes change no event")
  func connections() async throws {
    let (kept, opened) = (
      try await playOnce(Self.seeds.lowerBound), try await play(Self.seeds.lowerBound, false)
    )
    #expect(kept.hash == opened.hash)
  }

  @Test("Every promise is kept, whatever breaks", arguments: seeds)
  func promises(seed: UInt64) async throws {
    #expect(try await playOnce(seed).violations == [])
  }

  @Test(
    "Every action and fault occurs in the first 100 stories, and a fault occurs while messages are pipelined"
  )
  func everything() async throws {
    var actions = Set(SimulatedAction.allCases)
    var faults = Set(SimulatedFault.allCases)
    var isPipelineStruck = false
    // The first stories are those of `promises(seed:)`, and have most actions and faults already.
    for seed in Self.seeds.lowerBound..<Self.seeds.lowerBound + 100 {
      if actions.isEmpty, faults.isEmpty, isPipelineStruck { break }
      let outcome = try await playOnce(seed)
      actions.subtract(outcome.actions.keys)
      faults.subtract(outcome.faults.keys)
      isPipelineStruck = isPipelineStruck || outcome.faults.values.contains { $0[.pipelining] != nil }
    }
    #expect(actions == [])
    #expect(faults == [])
    #expect(isPipelineStruck)
  }

  private static let seeds: Range<UInt64> = 200..<208

  /// Stories shared by several tests; each is played once.
  private static let played = Mutex<[UInt64: Task<SimulatedOutcome, any Error>]>([:])

  private func playOnce(_ seed: UInt64) async throws -> SimulatedOutcome {
    let story = Self.played.withLock { played in
      let story = played[seed] ?? Task { try await play(seed) }
      played[seed] = story
      return story
    }
    return try await story.value
  }

  /// Worlds run one at a time on their own thread: each needs a whole core, and other tests have deadlines.
  private static let turns = DispatchQueue(label: "skein.worlds")

  private func play(_ seed: UInt64, _ keepsConnections: Bool = true) async throws -> SimulatedOutcome {
    try await withCheckedThrowingContinuation { continuation in
      Self.turns.async {
        continuation.resume(
          with: Result {
            try Simulation.run(seed: seed, in: Simulation.folder, keepsConnections: keepsConnections)
          })
      }
    }
  }
}
