import Foundation
import Skein
import SkeinTesting
import Testing

/// Engines of several accounts and devices, with a Synapse and a network that fail.
@Suite("A day of Matrix accounts", .timeLimit(.minutes(5)))
struct SynapseDayTests {
  @Test(
    "After kills and a halt of Synapse, and a bad network, all devices have the history of the server",
    arguments: SynapseClientTests.addresses)
  func day(_ address: URL) async throws {
    try await SynapseProcess.run { synapse in
      let day = try await MatrixDay(on: synapse.address)
      let diaries = day.places.map(DayDiary.init)
      try await live(day, diaries, synapse)
      try await day.reachServer()
      try await day.finishSending()
      try await compare(day, diaries)
      try await read(day)
      await day.close()
    }
  }

  /// Writes in all chats, in rounds with one fault each.
  private func live(_ day: MatrixDay, _ diaries: [DayDiary], _ synapse: SynapseProcess) async throws {
    let relays = day.devices.map(\.relay)
    for round in 1...9 {
      try await day.reachServer()
      switch round {
      case 2: for relay in relays { relay.loseNextAnswer(by: .cut) }
      case 3: for relay in relays { relay.halveNextAnswer() }
      case 6: await synapse.halt()
      case 7: for relay in relays { relay.loseNextAnswer(by: .silence) }
      default: break
      }
      var last: SentMessage?
      for diary in diaries {
        last = try await diary.write(round)
        if round == 5 { for relay in relays { relay.cut() } }
      }
      switch round {
      case 1, 2, 3, 5, 7: try await day.finishSending()
      case 4:
        await synapse.kill()
        try await last?.state { $0.isWaiting || $0 == .sent }
        for device in day.devices { try await device.client.connection { $0 != .online } }
        try await synapse.restart()
      case 6:
        try await last?.state(where: \.isWaiting)
        await synapse.proceed()
      case 8:
        await synapse.kill()
        try await synapse.restart()
      default: break
      }
    }
  }

  /// Compares the server's history with the actions of the devices, and each device's list with the history.
  private func compare(_ day: MatrixDay, _ diaries: [DayDiary]) async throws {
    for room in day.rooms {
      let places = diaries.filter { $0.place.room == room }
      let history = try await ServerHistory(of: room, by: try #require(places.first?.place.device.session))
      for diary in places {
        let texts = history.entries.compactMap(\.text).filter { $0.hasPrefix(diary.prefix) }
        #expect(texts == (await diary.expected), "\(diary.place.device.name)")
        let onServer = history.entries.flatMap { entry in entry.reactions.map { "\(entry.id) \($0)" } }
        #expect(await diary.reactions.subtracting(onServer).isEmpty)
      }
      for place in places.map(\.place) {
        let messages = try await history.reach(place.context)
        #expect(messages.allSatisfy { $0.status == .sent && $0.failure == nil })
      }
    }
  }

  /// Reads all chats on one device of each account, sends one more message in each chat, and checks the counts and the
  /// receipts of all devices.
  private func read(_ day: MatrixDay) async throws {
    for place in day.places where place.device.name.hasSuffix("1") { try await place.context.markRead() }
    for place in day.places {
      try await place.device.client.conversation { $0.ref == place.room && $0.unreadCount == 0 }
    }
    for room in day.rooms {
      let places = day.places.filter { $0.room == room }
      let bob = try #require(places.first { $0.device.name == "bob1" })
      let others = places.filter { $0.device.user != bob.device.user }
      let sent = try await bob.context.messenger.send(TextContent("good night"))
      for place in others {
        try await place.device.client.conversation {
          $0.ref == room && $0.unreadCount == 1 && !$0.unreadIsAtLeast
        }
      }
      for place in others where place.device.name.hasSuffix("2") { try await place.context.markRead() }
      for place in others {
        try await place.device.client.conversation { $0.ref == room && $0.unreadCount == 0 }
      }
      let message = try await sent.result
      let readers = Set(others.map(\.device.user))
      for place in places where place.device.user == bob.device.user {
        try await place.context.receipts { receipts in
          let own = place.context.messages.lazy.compactMap(\.message).first {
            $0.serverID == message.serverID
          }
          return own.map { Set(receipts.readers(of: $0)) == readers } ?? false
        }
      }
    }
  }
}
