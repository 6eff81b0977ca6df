import Foundation
import Skein
import SkeinMatrix

/// Clients that send to one room while a process of the homeserver is killed.
struct ProcessKill {
  let homeserver: Homeserver
  let log: RequestLog
  let process: Cluster.Process
  let clients: Int
  /// The number of messages that each client sends.
  let count: Int

  func measure() async throws {
    Output.progress("\(clients) clients sign in and enter a room")
    let first = try log.count()
    let sessions = try await homeserver.sessions(clients)
    let guests = sessions.dropFirst().map(\.user)
    let room = try await MatrixBackend(sessions[0]).open(
      .group(id: "kill", title: "kill", members: guests)
    ).ref
    var members: [Member] = []
    for session in sessions {
      members.append(try await Member(homeserver, session, room, total: clients * count))
    }
    Output.progress("\(clients * count) messages are sent; syncs reach \(try log.syncs(after: first))")
    let killed = try await send(members)

    let history = try await PlainCalls(sessions[0]).history(of: room)
    let lists = Lists(texts: members.map(\.texts), clients: clients, count: count)
    let ids = Set(history.map(\.id))
    var (usual, longest): ([Double], [Double]) = ([], [])
    for member in members {
      let pauses = member.pauses(around: killed)
      usual.append(pauses.before)
      longest.append(pauses.after)
      await member.close()
    }
    Output.line(
      "\(process.name), \(clients) clients send \(clients * count)", "\(clients * count - ids.count)",
      "\(history.count - ids.count + lists.doubled)", "\(lists.missing)", "\(lists.disordered)",
      "\(lists.orders)", Output.number(usual.median), Output.number(longest.median),
      Output.number(longest.max() ?? 0))
  }

  /// Sends all messages, kills the process after a third of them, and returns the time of the kill once every member
  /// has every message.
  private func send(_ members: [Member]) async throws -> ContinuousClock.Instant {
    let killing = Task { [middle = clients * count / 3, process, witness = members[0]] in
      await witness.shows(middle)
      guard kill(process.id, SIGKILL) == 0 else { throw BenchError("\(process.name) can't be killed.") }
      Output.progress("\(process.name) was killed")
      return ContinuousClock.now
    }
    try await members.exchange(count)
    return try await killing.value
  }
}
