import Foundation
import SkeinSimulation
import SkeinTerminal

/// The results of many seeds.
struct SimulationSummary: Sendable {
  private(set) var seeds = 0
  private(set) var steps = 0
  private(set) var jobs = 0
  private(set) var time: Duration = .zero
  private(set) var messages = 0
  private(set) var replays = 0
  private(set) var faults: [SimulatedFault: [SimulatedActivity: Int]] = [:]
  private(set) var violations: [SimulationViolation] = []
  var elapsed: Duration = .zero

  var holds: Bool { violations.isEmpty }

  mutating func add(_ outcome: SimulatedOutcome) {
    seeds += 1
    steps += outcome.steps
    jobs += outcome.jobs
    time += outcome.time
    messages += outcome.messages
    violations += outcome.violations
    for (fault, hits) in outcome.faults { faults[fault, default: [:]].merge(hits) { $0 + $1 } }
  }

  /// Adds the hash that a second process got for a seed.
  mutating func replayed(_ outcome: SimulatedOutcome, _ hash: Result<String, any Error>) {
    replays += 1
    switch hash {
    case .success(String(outcome.hash)): break
    case .success: broke(outcome.seed, "a second process gets another trace", as: "replay")
    case .failure(let error): broke(outcome.seed, "a second process can't play it: \(error)", as: "replay")
    }
  }

  /// Adds a seed whose world could not be played to its end.
  mutating func failed(_ seed: UInt64, _ error: any Error) {
    seeds += 1
    broke(seed, "\(error)", as: "world")
  }

  private mutating func broke(_ seed: UInt64, _ what: String, as invariant: String) {
    violations.append(SimulationViolation(seed: seed, step: 0, invariant: invariant, what: what))
  }

  // MARK: Output

  private struct Record: Encodable {
    let seeds: Int
    let steps: Int
    let simulated_seconds: Int64
    let messages: Int
    let faults: [String: Int]
    let violations: [SimulationViolation]
  }

  var json: String {
    get throws {
      let record = Record(
        seeds: seeds, steps: steps, simulated_seconds: time.components.seconds, messages: messages,
        faults: Dictionary(uniqueKeysWithValues: faults.map { ($0.key.rawValue, total($0.key)) }),
        violations: sorted)
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(record), as: UTF8.self) + "\n"
    }
  }

  var text: String {
    let wall = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
    let rate = wall > 0 ? Double(seeds) / wall : 0
    var text = Help.columns([
      ("seeds", "\(seeds), \((rate * 10).rounded() / 10) a second; \(replays) replayed in a second process"),
      ("steps", "\(steps) of stories, \(jobs) of the worlds"),
      ("time", "\(time.components.seconds / 3600) hours simulated, \(Int(wall)) seconds of real time"),
      ("messages", "\(messages) accepted by the servers"),
      ("faults", "\(SimulatedFault.allCases.reduce(0) { $0 + total($1) })"),
    ])
    text += "\n\n" + table
    guard !holds else { return text + "\nEvery promise was kept.\n" }
    text += "\n\(violations.count) violations:\n"
    for violation in sorted.prefix(50) {
      text += "  seed \(violation.seed), step \(violation.step): \(violation.invariant) \(violation.what)\n"
    }
    return text
  }

  private var sorted: [SimulationViolation] {
    violations.sorted {
      ($0.seed, $0.step, $0.invariant, $0.what) < ($1.seed, $1.step, $1.invariant, $1.what)
    }
  }

  private func total(_ fault: SimulatedFault) -> Int { faults[fault, default: [:]].values.reduce(0, +) }

  /// The counts of faults by activity; a dot marks a fault that could have occurred but has not.
  private var table: String {
    let activities = SimulatedActivity.allCases
    let width = SimulatedFault.allCases.map(\.rawValue.count).max() ?? 0
    var text = ""
    for (index, activity) in activities.enumerated() { text += "  \(letter(index))  \(activity.rawValue)\n" }
    text += "\n" + padded("", width) + activities.indices.map { right(letter($0), 8) }.joined() + "\n"
    var empty = 0
    for fault in SimulatedFault.allCases {
      let cells = activities.map { activity in
        let hits = faults[fault]?[activity] ?? 0
        if hits > 0 { return "\(hits)" }
        guard fault.canOccur(during: activity) else { return "" }
        empty += 1
        return "."
      }
      text += padded(fault.rawValue, width) + cells.map { right($0, 8) }.joined() + "\n"
    }
    return text + (empty == 0 ? "No cell is empty.\n" : "\(empty) cells are empty: more seeds are needed.\n")
  }

  private func letter(_ index: Int) -> String { String(UnicodeScalar(UInt8(97 + index))) }

  private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(width - text.count, 0))
  }

  private func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(width - text.count, 1)) + text
  }
}
