import Foundation
import SkeinSimulation
import SkeinTerminal

/// `skein hunt`: plays new seeds until a seed breaks a promise or the time is over.
enum HuntCommand {
  private static let hours = Option(
    name: "hours", value: "H", help: "How long to play, such as 0.5 or 8; default 1.")
  private static let from = Option(
    name: "from", value: "S", help: "The first seed; by default the time in milliseconds since 1970.")

  static let usage = Usage(
    name: "hunt",
    summary: "Plays new seeds for hours, and prints the trace of the first that breaks a promise.",
    options: [hours, from],
    notes: """
      A seed takes longer than a millisecond, so by default no hunt plays the seeds
      of an earlier one. The status is 1 if a promise was broken.
      """,
    run: run)

  private static func run(_ arguments: Arguments) async throws -> Int32 {
    let hours = try arguments.decimal(hours, in: 0.001...1000) ?? 1
    let now = Int(Date.now.timeIntervalSince1970 * 1000)
    let first = UInt64(try arguments.number(from, in: 0...Int.max / 2) ?? now)
    StandardOutput.write("Playing seeds from \(first) for \(hours) hours.\n")
    let folder = try TemporaryFolder("skein-worlds", in: Simulation.folder)
    defer { folder.remove() }
    let end = ContinuousClock.now.advanced(by: .seconds(hours * 3600))
    let run = SimulationRun(
      first..<UInt64.max, in: folder.url, .firstViolation(before: end), SimulationProgress(count: nil))
    let summary = await run.result()
    let last = first + UInt64(max(summary.seeds, 1)) - 1
    guard let seed = summary.violations.first?.seed else {
      StandardOutput.write("\(summary.seeds) seeds, \(first) to \(last): every promise was kept.\n")
      return 0
    }
    StandardOutput.write("After \(summary.seeds) seeds, seed \(seed) broke a promise. Its trace:\n\n")
    _ = try SimulateCommand.tell(seed, in: folder.url)
    StandardOutput.write("\nskein simulate --from \(seed) --trace prints it again, with this build.\n")
    return 1
  }
}
