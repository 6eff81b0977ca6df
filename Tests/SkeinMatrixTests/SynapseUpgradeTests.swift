import Foundation
import Skein
import SkeinMatrix
import Testing

/// Upgrades of rooms on a real Synapse.
@Suite("Upgraded rooms on a Matrix homeserver", .timeLimit(.minutes(3)))
struct SynapseUpgradeTests {
  /// A room of Alice and Bob. Alice upgrades rooms with another client.
  private struct Scene {
    let address: URL
    let alice: MatrixDevice
    let bob: MatrixDevice
    let room: ConversationRef

    init(_ address: URL, isDirect: Bool) async throws {
      self.address = address
      let server = try SynapseServer(address)
      let users = (alice: try await server.makeUser(), bob: try await server.makeUser())
      alice = try await MatrixDevice("alice", of: users.alice, on: address)
      bob = try await MatrixDevice("bob", of: users.bob, on: address)
      let request: ConversationRequest =
        isDirect
        ? .direct(users.bob) : .group(id: UUID().uuidString, title: "Trip", members: [users.bob])
      let chat = try await alice.client.open(request)
      room = try #require(try await alice.client.conversation { $0.id == chat && $0.ref != nil }.ref)
      _ = try await bob.context(of: room)
    }

    /// Replaces a room and, unless its members are joined already, invites Bob to the new one.
    func upgrade(_ room: ConversationRef, to version: Int = 11) async throws -> ConversationRef {
      struct Upgraded: Decodable { let replacement_room: String }
      let new = try await TestRequest("POST", alice.session, "rooms", room.rawValue, "upgrade").answer(
        to: #"{"new_version":"\#(version)"}"#, as: Upgraded.self
      ).replacement_room
      try await TestRequest("POST", alice.session, "rooms", new, "invite").send(
        #"{"user_id":"\#(bob.user.rawValue)"}"#)
      return ConversationRef(rawValue: new)
    }

    func close() async {
      await alice.close()
      await bob.close()
    }
  }

  private func send(_ text: String, from device: MatrixDevice, to ref: ConversationRef) async throws {
    let chat = try await device.client.conversation { $0.ref == ref }.id
    _ = try await device.client.send(TextContent(text), to: chat).result
  }

  /// Waits until a device lists the texts in the only conversation with a ref, after its gaps were filled.
  private func shows(_ texts: [String], _ device: MatrixDevice, in ref: ConversationRef) async throws {
    let context = try await device.context(of: ref)
    let messages = try await context.messages { $0.last?.content.displayedText == texts.last }
    #expect(messages.map(\.content.displayedText) == texts, "\(device.name)")
    #expect(device.client.conversations.conversations.count == 1, "\(device.name)")
  }

  @Test(
    "After an upgrade, messages before and after it are in one list on each device, also on a new one",
    arguments: SynapseClientTests.addresses, [false, true])
  func upgraded(_ address: URL, isDirect: Bool) async throws {
    let scene = try await Scene(address, isDirect: isDirect)
    try await send("one", from: scene.alice, to: scene.room)
    try await send("two", from: scene.bob, to: scene.room)
    let second = try await scene.upgrade(scene.room, to: 12)
    for device in [scene.alice, scene.bob] {
      let chat = try await device.client.conversation { $0.ref == second }
      #expect(chat.type == (isDirect ? .direct : .group))
    }
    try await send("three", from: scene.bob, to: second)
    try await send("four", from: scene.alice, to: second)
    let third = try await scene.upgrade(second, to: 12)
    for device in [scene.alice, scene.bob] { try await device.client.conversation { $0.ref == third } }
    try await send("five", from: scene.alice, to: third)
    let tablet = try await MatrixDevice("tablet", of: scene.bob.user, on: address)
    for device in [scene.alice, scene.bob, tablet] {
      try await shows(["one", "two", "three", "four", "five"], device, in: third)
      #expect(try await device.client.conversation { $0.ref == third }.type == (isDirect ? .direct : .group))
    }
    await tablet.close()
    await scene.close()
  }

  @Test(
    "A message that waits while the room is upgraded arrives once in the new room",
    arguments: SynapseClientTests.addresses, [false, true])
  func waiting(_ address: URL, isDirect: Bool) async throws {
    let scene = try await Scene(address, isDirect: isDirect)
    try await send("one", from: scene.alice, to: scene.room)
    let context = try await scene.bob.context(of: scene.room)
    try await context.messages { $0.last?.content.displayedText == "one" }
    // The device has sent to the old room before.
    _ = try await context.messenger.send(TextContent("two")).result
    await scene.bob.client.stop()
    let sent = try await context.messenger.send(TextContent("three"))
    let new = try await scene.upgrade(scene.room)
    try await scene.alice.client.conversation { $0.ref == new }
    scene.bob.client.start()
    _ = try await sent.result
    for device in [scene.alice, scene.bob] { try await shows(["one", "two", "three"], device, in: new) }
    await scene.close()
  }
}
