import Foundation
import Skein
import SkeinMatrix
import Testing

/// Settings of rooms that all clients of an account share, on a real Synapse.
@Suite("Settings on a Matrix homeserver", .timeLimit(.minutes(2)))
struct SynapseSettingsTests {
  /// Two devices of an account with a room, and another client of the account.
  private struct Scene {
    let devices: [MatrixDevice]
    let room: ConversationRef

    init(_ address: URL) async throws {
      let user = try await SynapseServer(address).makeUser()
      let phone = try await MatrixDevice("phone", of: user, on: address)
      devices = [phone, try await MatrixDevice("tablet", of: user, on: address)]
      let made = try await TestRequest("POST", phone.session, "createRoom").send(
        #"{"preset":"private_chat","name":"Trip"}"#)
      room = ConversationRef(rawValue: made)
      for device in devices { _ = try await shown(on: device) { _ in true } }
    }

    /// The room, once a device shows it as expected.
    @discardableResult
    func shown(on device: MatrixDevice, as isExpected: @escaping @Sendable (Conversation) -> Bool)
      async throws -> Conversation
    {
      try await device.client.conversation { $0.ref == room && isExpected($0) }
    }

    func onAll(_ isExpected: @escaping @Sendable (Conversation) -> Bool) async throws {
      for device in devices { try await shown(on: device, as: isExpected) }
    }

    /// Makes a request of the other client.
    func send(_ method: String, _ path: String..., json: String? = nil) async throws {
      let session = devices[0].session
      let url = path.reduce(session.homeserver.appending(path: "_matrix/client/v3")) {
        $0.appending(path: $1)
      }
      try await TestRequest(method, session, at: url).send(json)
    }

    func tag(_ method: String, json: String? = nil) async throws {
      try await send(
        method, "user", devices[0].user.rawValue, "rooms", room.rawValue, "tags", "m.favourite", json: json)
    }

    func close() async { for device in devices { await device.close() } }
  }

  @Test("Two devices agree on each setting, and so does a new one", arguments: SynapseClientTests.addresses)
  func agree(_ address: URL) async throws {
    let scene = try await Scene(address)
    let (phone, tablet) = (scene.devices[0], scene.devices[1])
    var id = try await scene.shown(on: phone) { _ in true }.id
    try await phone.client.conversations.setMuted(true, for: id)
    try await scene.onAll { $0.isMuted && !$0.isPinned && !$0.isMarkedUnread }
    try await phone.client.conversations.setPinned(true, for: id)
    try await scene.onAll { $0.isMuted && $0.isPinned }
    try await phone.client.conversations.setMarkedUnread(true, for: id)
    try await scene.onAll { $0.isMuted && $0.isPinned && $0.isMarkedUnread && $0.unreadCount == 0 }
    let new = try await MatrixDevice("new", of: phone.user, on: address)
    try await scene.shown(on: new) { $0.isMuted && $0.isPinned && $0.isMarkedUnread }
    await new.close()
    id = try await scene.shown(on: tablet) { _ in true }.id
    try await tablet.client.conversations.setMuted(false, for: id)
    try await tablet.client.conversations.setPinned(false, for: id)
    try await tablet.client.context(for: id).markRead()
    try await scene.onAll { !$0.isMuted && !$0.isPinned && !$0.isMarkedUnread }
    await scene.close()
  }

  @Test(
    "A tag with a place and a mute with its mentions, as other clients make them, are shown and can be removed",
    arguments: SynapseClientTests.addresses)
  func otherForms(_ address: URL) async throws {
    let scene = try await Scene(address)
    let phone = scene.devices[0]
    let id = try await scene.shown(on: phone) { _ in true }.id
    try await scene.tag("PUT", json: #"{"order":0.25}"#)
    try await scene.send(
      "PUT", "pushrules", "global", "override", scene.room.rawValue,
      json: """
        {"actions":[],"conditions":[{"kind":"event_match","key":"room_id","pattern":"\(scene.room.rawValue)"}]}
        """)
    try await scene.onAll { $0.isMuted && $0.isPinned }
    // Rules that do not mute a room.
    try await scene.send(
      "PUT", "pushrules", "global", "content", "trip", json: #"{"actions":[],"pattern":"trip"}"#)
    try await phone.client.conversations.setMuted(false, for: id)
    try await scene.onAll { !$0.isMuted && $0.isPinned }
    try await scene.send(
      "PUT", "pushrules", "global", "room", scene.room.rawValue, json: #"{"actions":["notify"]}"#)
    try await phone.client.conversations.setPinned(false, for: id)
    try await scene.onAll { !$0.isMuted && !$0.isPinned }
    // A rule that another client has disabled mutes again.
    try await phone.client.conversations.setMuted(true, for: id)
    try await scene.onAll(\.isMuted)
    try await scene.send(
      "PUT", "pushrules", "global", "room", scene.room.rawValue, "enabled", json: #"{"enabled":false}"#)
    try await scene.onAll { !$0.isMuted }
    try await phone.client.conversations.setMuted(true, for: id)
    try await scene.onAll(\.isMuted)
    await scene.close()
  }
}
