import Foundation
import Skein
import SkeinHTTP

/// Idle sockets: the server's memory for each, and its processor time while nothing happens.
struct Sockets {
  let bench: Workbench
  let isShort: Bool

  func figures() async throws -> [Figure] {
    let most = try ReadingSockets.most()
    let counts = Set((isShort ? [1000] : [1000, 3000, 10_000]).map { min($0, most) }).sorted()
    let server = try ServerProcess(in: bench.path())
    defer { server.stop() }
    let users = (0..<min(counts[0], 1000)).map { UserID("user-\($0)") }
    let tokens = try await server.sessions(of: users).map(\.token.rawValue)
    let sockets = try ReadingSockets(port: server.port)
    let before = try server.memory()
    var memory: [Figure] = []
    var times: [Figure] = []
    var open = 0
    for count in counts {
      try sockets.open(count - open, as: tokens)
      open = count
      try sockets.settle()
      let added = try server.memory() - before
      memory.append(Figure("sockets.idle.memory.\(count)", [added / Double(count) / 1024], "kB"))
      var rounds: [Double] = []
      for _ in 0..<3 {
        let (start, used) = (ContinuousClock.now, try server.processorTime())
        try await Task.sleep(for: .seconds(1))
        rounds.append(
          (try server.processorTime() - used) / (ContinuousClock.now - start).seconds)
      }
      times.append(Figure("sockets.idle.cpu.\(count)", rounds, "ms/s"))
      // Throws if a socket was closed meanwhile, which would make the figures too low.
      try sockets.settle()
    }
    return memory + times
  }
}
