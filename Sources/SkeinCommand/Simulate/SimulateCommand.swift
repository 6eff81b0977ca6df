import Foundation
import SkeinSimulation
import SkeinTerminal

/// `skein simulate`: plays seeded worlds with clients, a server and faults.
enum SimulateCommand {
  private static let from = Option(name: "from", value: "S", help: "The first seed, default 1.")
  private static let seeds = Option(name: "seeds", value: "N", help: "The number of seeds, default 100.")
  private static let order = Option(
    name: "order", value: "O",
    help:
      "How the servers order messages: dense, sparse, tokens, archive or graph. By default, the seed decides."
  )
  private static let untilViolation = Option(
    name: "until-violation", value: nil,
    help: "Stop as soon as a seed breaks a promise, and replay no seed.")
  private static let trace = Option(
    name: "trace", value: nil, help: "Print a trace of the first seed and run no other.")
  private static let json = Option(name: "json", value: nil, help: "Print the result as JSON.")
  private static let hash = Option(
    name: "hash", value: nil,
    help: "Print only a hash for each seed. The hash must be the same in every run.")

  static let usage = Usage(
    name: "simulate", summary: "Plays seeded worlds with faults, and checks the promises.",
    options: [from, seeds, order, untilViolation, trace, json, hash],
    notes: """
      The status is 1 if a promise was broken; with --hash, it is always 0.
      The same binary replays a seed exactly.
      """,
    run: run)

  private static func run(_ arguments: Arguments) async throws -> Int32 {
    let first = UInt64(try arguments.number(from, in: 0...Int.max) ?? 1)
    let order = try arguments.choice(order, of: SimulatedOrder.allCases.map { ($0.rawValue, $0) })
    let folder = try TemporaryFolder("skein-worlds", in: Simulation.folder)
    defer { folder.remove() }
    if arguments.isSet(trace) { return try tell(first, in: folder.url, order: order) }
    let count = UInt64(try arguments.number(seeds, in: 1...1_000_000_000) ?? 100)
    let range = first..<(first + count)
    if arguments.isSet(hash) {
      for seed in range {
        StandardOutput.write("\(seed) \(try Simulation.run(seed: seed, in: folder.url, order: order).hash)\n")
      }
      return 0
    }
    let progress = SimulationProgress(count: Int(count))
    let run = SimulationRun(
      range, in: folder.url, order: order,
      arguments.isSet(untilViolation) ? .firstViolation(before: nil) : .allSeeds(replayInterval: 20),
      progress)
    let result = await run.result()
    StandardOutput.write(arguments.isSet(json) ? try result.json : result.text)
    return result.holds ? 0 : 1
  }

  /// Prints the trace of a seed and the promises that it breaks. Returns the status of the command.
  static func tell(_ seed: UInt64, in folder: URL, order: SimulatedOrder? = nil) throws -> Int32 {
    let outcome = try Simulation.run(seed: seed, in: folder, order: order, keepsTrace: true)
    StandardOutput.write(outcome.trace.map { SafeText.line($0) + "\n" }.joined())
    for violation in outcome.violations {
      StandardOutput.write("step \(violation.step): \(violation.invariant) \(violation.what)\n")
    }
    return outcome.violations.isEmpty ? 0 : 1
  }
}
