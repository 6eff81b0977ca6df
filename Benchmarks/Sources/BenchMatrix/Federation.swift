import Foundation
import Skein
import SkeinMatrix

/// Clients of two homeservers that send to one room at the same time.
struct Federation {
  let homeservers: [Homeserver]
  /// The number of clients of each homeserver.
  let clients: Int
  /// The number of messages that each client sends.
  let count: Int

  func measure() async throws {
    Output.progress("\(clients) clients of each homeserver enter a room")
    var sessions: [(Homeserver, MatrixSession)] = []
    for homeserver in homeservers {
      for session in try await homeserver.sessions(clients) { sessions.append((homeserver, session)) }
    }
    let room = try await MatrixBackend(sessions[0].1).open(
      .group(id: "room", title: "room", members: sessions.dropFirst().map(\.1.user))
    ).ref
    let total = sessions.count * count
    var members: [Member] = []
    for (homeserver, session) in sessions {
      members.append(try await Member(homeserver, session, room, total: total))
    }
    Output.progress("\(total) messages are sent")
    let time = try await seconds { try await members.exchange(count) }
    for (number, homeserver) in homeservers.enumerated() {
      let own = members[number * clients..<(number + 1) * clients].map(\.texts)
      let lists = Lists(texts: own, clients: members.count, count: count)
      let calls = PlainCalls(sessions[number * clients].1)
      let ids = Set(try await calls.history(of: room).map(\.id))
      Output.line(
        "port \(homeserver.address.port ?? 0), \(members.count) clients send \(total)",
        "\(total - ids.count)", "\(lists.doubled)", "\(lists.missing)", "\(lists.disordered)",
        "\(lists.orders)", Output.number(time))
    }
    for member in members { await member.close() }
  }
}
