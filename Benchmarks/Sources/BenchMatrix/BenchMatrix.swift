import Foundation

/// Measures Skein on homeservers that `Scripts/synapse-cluster` and `Scripts/synapse-pair` run.
@main
struct BenchMatrix {
  private static let help = """
    Measures Skein on Matrix homeservers.

    Scripts/synapse-cluster -- bench-matrix [--short] [PART…]
    Scripts/synapse-pair -- bench-matrix [--short]

      PART     Measure only these parts of a cluster: sending, absence, kill.
      --short  Fewer messages.
      --help   Show this text.

    """

  static func main() async {
    do {
      try await run()
    } catch {
      FileHandle.standardError.write(Data("bench-matrix: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func run() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.contains("--help") { return Output.write(help) }
    let named = arguments.filter { $0 != "--short" }
    let parts = named.isEmpty ? Part.allCases : named.compactMap(Part.init)
    let environment = ProcessInfo.processInfo.environment
    let folder = FileManager.default.temporaryDirectory.appending(path: "skein-bench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let bench = Bench(folder: folder, isShort: arguments.contains("--short"))
    if let cluster = Cluster(environment), named.isEmpty || parts.count == named.count {
      for part in parts { try await bench.measure(part, of: cluster) }
    } else if let pair = environment["SKEIN_SYNAPSE_PAIR"], named.isEmpty {
      try await bench.measure(pair.split(separator: " ").compactMap { URL(string: String($0)) })
    } else {
      FileHandle.standardError.write(Data(help.utf8))
      exit(2)
    }
  }
}

struct BenchError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// The parts of the measurements of a cluster, in the order in which they are made.
enum Part: String, CaseIterable {
  case sending, absence, kill
}

/// The sizes of the measurements.
struct Bench {
  let folder: URL
  let isShort: Bool

  func measure(_ part: Part, of cluster: Cluster) async throws {
    let homeserver = Homeserver(address: cluster.address, folder: folder)
    switch part {
    case .sending:
      Output.heading("messages sent a second", "Skein", "calls", "ratio", "polling", "ratio")
      for (clients, count) in [(1, isShort ? 20 : 100), (32, isShort ? 3 : 10)] {
        let rates = SendRates(homeserver: homeserver, clients: clients, count: count)
        try await rates.measure(rounds: isShort ? 3 : 5)
      }
    case .absence:
      Output.heading("catching up", "messages", "requests", "seconds")
      let absence = Absence(
        homeserver: homeserver, log: cluster.log, rooms: 20, count: isShort ? 60 : 250)
      try await absence.measure()
    case .kill:
      Output.heading(
        "a process is killed", "lost", "doubled", "missing", "disordered", "orders", "pause", "after kill",
        "longest")
      for process in cluster.processes {
        let kill = ProcessKill(
          homeserver: homeserver, log: cluster.log, process: process, clients: 10, count: isShort ? 20 : 100)
        try await kill.measure()
      }
    }
  }

  /// Measures homeservers that are federated.
  func measure(_ addresses: [URL]) async throws {
    Output.heading("two homeservers", "lost", "doubled", "missing", "disordered", "orders", "seconds")
    let homeservers = addresses.map { Homeserver(address: $0, folder: folder) }
    try await Federation(homeservers: homeservers, clients: 3, count: isShort ? 10 : 100).measure()
  }
}
