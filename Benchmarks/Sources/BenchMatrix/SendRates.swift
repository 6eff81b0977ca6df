import Foundation
import Skein
import SkeinMatrix

/// Sending through Skein, through calls alone, and through calls beside a poll for news, in turn.
struct SendRates {
  let homeserver: Homeserver
  let clients: Int
  /// The number of messages that each client sends in a round.
  let count: Int

  private var title: String { clients == 1 ? "1 client" : "\(clients) clients" }

  func measure(rounds: Int) async throws {
    Output.progress("Accounts are made for \(title) on each of three sides")
    let engines = try await engines()
    let (calls, polling) = (try await plain(), try await plain())
    var rates: [[Double]] = [[], [], []]
    for round in 1...rounds {
      Output.progress("\(title), round \(round) of \(rounds)")
      let total = Double(clients * count)
      // The sides change places, so that none always comes first.
      for side in 0..<3 {
        switch (side + round) % 3 {
        case 0: rates[0].append(total / (try await seconds { try await send(engines) }))
        case 1: rates[1].append(total / (try await seconds { try await send(calls) }))
        default: rates[2].append(total / (try await secondsWhilePolling(polling)))
        }
      }
    }
    for (client, _) in engines { await client.close() }
    let medians = rates.map(\.median)
    Output.line(
      "\(title), \(rounds) rounds of \(clients * count)",
      Output.number(medians[0]), Output.number(medians[1]), Output.number(medians[0] / medians[1]),
      Output.number(medians[2]), Output.number(medians[0] / medians[2]))
  }

  /// Clients with a chat of their own, which have sent a message.
  private func engines() async throws -> [(ChatClient, ConversationID)] {
    var engines: [(ChatClient, ConversationID)] = []
    for session in try await homeserver.sessions(clients) {
      let client = try await homeserver.client(session)
      let chat = try await client.openGroup(title: "bench", members: [])
      _ = try await client.send(TextContent("first"), to: chat).result
      engines.append((client, chat))
    }
    return engines
  }

  /// Devices with a room of their own, which have sent a message.
  private func plain() async throws -> [(PlainCalls, ConversationRef)] {
    var devices: [(PlainCalls, ConversationRef)] = []
    for session in try await homeserver.sessions(clients) {
      let room = try await MatrixBackend(session).open(.group(id: "bench", title: "bench", members: [])).ref
      let calls = PlainCalls(session)
      try await calls.send("first", to: room)
      devices.append((calls, room))
    }
    return devices
  }

  private func send(_ engines: [(ChatClient, ConversationID)]) async throws {
    try await together(engines) { [count] _, engine in
      var last: SentMessage?
      for number in 1...count {
        last = try await engine.0.send(TextContent("message \(number)"), to: engine.1)
      }
      _ = try await last?.result
    }
  }

  private func send(_ devices: [(PlainCalls, ConversationRef)]) async throws {
    try await together(devices) { [count] _, device in
      for number in 1...count { try await device.0.send("message \(number)", to: device.1) }
    }
  }

  private func secondsWhilePolling(_ devices: [(PlainCalls, ConversationRef)]) async throws -> Double {
    let polls = devices.map { device in Task { try await device.0.poll() } }
    defer { for poll in polls { poll.cancel() } }
    return try await seconds { try await send(devices) }
  }
}
