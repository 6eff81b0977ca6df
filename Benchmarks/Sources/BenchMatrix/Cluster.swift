import Foundation

/// The homeserver's processes and its log, as `Scripts/synapse-cluster` passes them in the environment.
struct Cluster {
  struct Process {
    let name: String
    let id: pid_t
  }

  let address: URL
  let log: RequestLog
  let processes: [Process]

  init?(_ environment: [String: String]) {
    guard let address = environment["SKEIN_SYNAPSE"].flatMap(URL.init),
      let log = environment["SKEIN_SYNAPSE_REQUESTS"], let processes = environment["SKEIN_SYNAPSE_WORKERS"]
    else { return nil }
    self.address = address
    self.log = RequestLog(file: URL(fileURLWithPath: log))
    self.processes = processes.split(separator: " ").compactMap { word in
      let parts = word.split(separator: ":")
      guard parts.count == 2, let id = pid_t(parts[1]) else { return nil }
      return Process(name: String(parts[0]), id: id)
    }
  }
}

/// The log of nginx: a line for each answered request, with the user and the process.
struct RequestLog {
  let file: URL

  private func lines() throws -> [[Substring]] {
    try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { $0.split(separator: " ") }
  }

  func count() throws -> Int { try lines().count }

  /// The number of users whose syncs were last answered by each process, such as `generic1: 5, generic2: 5`.
  func syncs(after first: Int) throws -> String {
    var processes: [Substring: Substring] = [:]
    for line in try lines().dropFirst(first) where line.count == 6 && line[2].hasSuffix("/sync") {
      let socket = line[5].split(separator: "/").last ?? ""
      processes[line[4]] = socket.prefix { $0 != "." }
    }
    let counts = Dictionary(grouping: processes.values) { $0 }.mapValues(\.count)
    return counts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
  }
}
