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
    let time = try await seconds {
      try await members.exchange(count)
    }
    let lists = members.map(\.texts)
    let own = stride(from: 0, to: lists.count, by: clients).map { Set(lists[$0..<$0 + clients]).count }
    Output.line(
      "\(sessions.count) clients send \(total)", "\(total - Set(lists[0]).count)",
      "\(lists.map { $0.count - Set($0).count }.reduce(0, +))",
      "\(lists.count { !$0.isOrdered(clients: sessions.count, count: count) })",
      "\(Set(lists.map(Set.init)).count)", own.map(String.init).joined(separator: " and "),
      Output.number(time))
    for member in members { await member.close() }
  }
}
