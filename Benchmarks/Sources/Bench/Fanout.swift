import Foundation
import Skein
import SkeinHTTP

/// A post into groups of different sizes, whose members are all connected by a socket.
struct Fanout {
  let bench: Workbench
  let isShort: Bool

  func figures() async throws -> [Figure] {
    let most = try ReadingSockets.most()
    let sizes = Set((isShort ? [2, 100] : [2, 10, 100, 1000]).map { min($0, most) }).sorted()
    let server = try ServerProcess(in: bench.path())
    defer { server.stop() }
    let users = (0..<(sizes.last ?? 0)).map { UserID("user-\($0)") }
    let sessions = try await server.sessions(of: users)
    let backend = HTTPBackend(sessions[0])
    var chats: [String] = []
    for size in sizes {
      let info = try await backend.open(
        .group(id: "group-\(size)", title: "Group of \(size)", members: Array(users[1..<size])))
      chats.append(info.ref.rawValue)
    }
    let tokens = sessions.map(\.token.rawValue)
    let sockets = try ReadingSockets(port: server.port)
    let connecting = try await time {
      try sockets.open(tokens.count, as: tokens)
      try sockets.settle()
    }
    var returns = [[Double]](repeating: [], count: sizes.count)
    var lasts = returns
    for round in 0..<(isShort ? 20 : 50) {
      for (index, size) in sizes.enumerated() {
        // The server still works for a moment after the last poke of a large group.
        try await Task.sleep(for: .milliseconds(20))
        let times = try sockets.post("post-\(round)", to: chats[index], token: tokens[0], members: size)
        returns[index].append(times.returns)
        lasts[index].append(times.last)
      }
    }
    return figures("fanout.returns", sizes, returns) + figures("fanout.last", sizes, lasts)
      + [Figure("presence.connect.\(users.count)", [connecting.seconds], "s")]
  }

  private func figures(_ name: String, _ sizes: [Int], _ times: [[Double]]) -> [Figure] {
    sizes.indices.map { index in
      Figure(
        "\(name).\(sizes[index])", times[index], "ms",
        reference: index == 0 ? nil : times[0].percentile(0.5))
    }
  }
}
