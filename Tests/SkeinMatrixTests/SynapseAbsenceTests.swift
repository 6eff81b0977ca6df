import Foundation
import Skein
import SkeinMatrix
import SkeinModel
import Testing

/// The return of a device after a long absence.
@Suite("An absence from Synapse", .timeLimit(.minutes(6)))
struct SynapseAbsenceTests {
  /// The number of messages in each of 30 rooms: fewer than a page, a page, and many pages; 5,000 in all.
  private static let counts = [5, 20] + (2..<30).map { $0 < 21 ? 178 : 177 }
  private static let pageSize = MatrixDevice.catchUpPageSize

  @Test(
    "After 5,000 missed messages in 30 rooms, the counts are lower limits, and exact once the gaps are filled",
    arguments: SynapseClientTests.addresses)
  func absence(_ address: URL) async throws {
    #expect(Self.counts.count == 30 && Self.counts.reduce(0, +) == 5000)
    try await SynapseProcess.run { synapse in
      let server = try SynapseServer(synapse.address)
      let (alice, bob) = (try await server.makeUser(), try await server.makeUser())
      let session = try await server.session(of: bob)
      let rooms = try await makeRooms(of: session, inviting: alice)
      let device = try await MatrixDevice(
        "alice", of: alice, on: synapse.address, pageSize: 100, fetchesReactions: false)
      try await post(0...0, in: rooms, by: session)
      for room in rooms {
        let context = try await device.context(of: room)
        try await context.messages { $0.count == 1 }
        try await context.markRead()
      }
      await device.client.stop()
      try await post(1..., in: rooms, by: session)
      device.client.start()
      for (room, count) in zip(rooms, Self.counts) {
        try await check(device, room, count)
      }
      #expect(device.client.conversations.unreadCount == 5000)
      await device.close()
    }
  }

  private func makeRooms(of session: MatrixSession, inviting user: UserID) async throws -> [ConversationRef] {
    var rooms: [ConversationRef] = []
    for number in Self.counts.indices {
      let id = try await TestRequest("POST", session, "createRoom").send(
        #"{"preset":"private_chat","name":"Room \#(number)","invite":["\#(user.rawValue)"]}"#)
      rooms.append(ConversationRef(rawValue: id))
    }
    return rooms
  }

  /// The texts of a room: one that is read before the absence, and those that are missed.
  private func texts(_ count: Int) -> [String] { (0...count).map { "message \($0)" } }

  /// Posts a part of the texts in all rooms at once, and in each room one after the other.
  private func post(
    _ part: some RangeExpression<Int> & Sendable, in rooms: [ConversationRef], by session: MatrixSession
  ) async throws {
    try await withThrowingTaskGroup { group in
      for (room, count) in zip(rooms, Self.counts) {
        group.addTask {
          for text in texts(count)[part] {
            try await TestRequest(
              "PUT", session, "rooms", room.rawValue, "send", "m.room.message", UUID().uuidString
            ).send(#"{"msgtype":"m.text","body":"\#(text)"}"#)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private func check(_ device: MatrixDevice, _ room: ConversationRef, _ count: Int) async throws {
    let texts = texts(count)
    let returned = try await device.client.conversation {
      $0.ref == room && $0.lastMessage?.content.displayedText == texts.last
    }
    #expect(returned.unreadIsAtLeast == (count > Self.pageSize))
    #expect(returned.unreadCount == min(count, Self.pageSize))
    let context = try await device.context(of: room)
    let hasGap = count > Self.pageSize
    #expect(try await spans(device, context) == (hasGap ? 2 : 1))
    let shown = context.messages.compactMap(\.message).map(\.content.displayedText)
    #expect(shown == (hasGap ? texts.suffix(Self.pageSize) : texts))
    let messages = try await context.messages { $0.count == texts.count }
    #expect(messages.map(\.content.displayedText) == texts)
    #expect(try await spans(device, context) == 1)
    try await device.client.conversation {
      $0.ref == room && $0.unreadCount == count && !$0.unreadIsAtLeast
    }
  }

  /// The number of stretches without gaps.
  private func spans(_ device: MatrixDevice, _ context: ChatContext) async throws -> Int? {
    try await device.client.inspection(of: [context.conversation]).chats.first?.spans.count
  }
}
