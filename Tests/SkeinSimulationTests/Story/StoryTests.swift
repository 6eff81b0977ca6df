import Dispatch
import Foundation
import SkeinSimulation
import Testing

@Suite("The story of a seed")
struct StoryTests {
  @Test("The same seed gives the same story, and others give others")
  func sameSeed() async throws {
    let first = try await play(7)
    let second = try await play(7)
    #expect(first.hash == second.hash)
    #expect(first.jobs == second.jobs)
    #expect(first.steps >= 300)
    #expect(first.faults.values.reduce(0) { $0 + $1.values.reduce(0, +) } >= 5)
    #expect(try await play(8).hash != first.hash)
  }

  @Test("Whatever breaks, every promise is kept", arguments: 200..<212 as Range<UInt64>)
  func promises(seed: UInt64) async throws {
    #expect(try await play(seed).violations == [])
  }

  /// Worlds take turns on a thread of their own: they need all of a core, and other tests have deadlines.
  private static let turns = DispatchQueue(label: "skein.worlds")

  private func play(_ seed: UInt64) async throws -> SimulatedOutcome {
    try await withCheckedThrowingContinuation { continuation in
      Self.turns.async {
        continuation.resume(with: Result { try Simulation.run(seed: seed, in: Simulation.folder) })
      }
    }
  }
}
