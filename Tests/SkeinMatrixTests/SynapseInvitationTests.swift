import Foundation
import Skein
import SkeinMatrix
import Testing

/// Invitations that a user answers, on a real Synapse.
@Suite("Invitations on a Matrix homeserver", .timeLimit(.minutes(2)))
struct SynapseInvitationTests {
  /// A new account with two devices, and another client, of Bob.
  private struct Scene {
    let devices: [ChatClient]
    let user: UserID
    let bob: MatrixSession

    init(_ address: URL, in folder: URL) async throws {
      let server = try SynapseServer(address)
      user = try await server.makeUser()
      bob = try await server.session(of: try await server.makeUser())
      var devices: [ChatClient] = []
      for name in ["phone", "tablet"] {
        let backend = try await server.makeBackend(for: user, acceptsInvitations: false)
        let directory = folder.appending(path: name)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let client = try await ChatClient.open(
          account: user, backend: backend, runtime: .system(directory: directory))
        client.start()
        try await client.connection { $0 == .online }
        devices.append(client)
      }
      self.devices = devices
    }

    /// Creates a room of Bob with a message, and invites Alice.
    func invite(to name: String, isDirect: Bool = false) async throws -> ConversationRef {
      let room = try await TestRequest("POST", bob, "createRoom").send(
        """
        {"preset":"private_chat","is_direct":\(isDirect)\(isDirect ? "" : #","name":"\#(name)""#),
        "invite":["\(user.rawValue)"]}
        """)
      try await TestRequest("PUT", bob, "rooms", room, "send", "m.room.message", UUID().uuidString).send(
        #"{"msgtype":"m.text","body":"welcome"}"#)
      return ConversationRef(rawValue: room)
    }

    func close() async { for device in devices { await device.close() } }
  }

  private func hasNo(_ room: ConversationRef, _ client: ChatClient) async throws {
    for await update in client.conversations.changes
    where !update.snapshot.contains(where: { $0.ref == room }) { return }
  }

  @Test(
    "An invitation is shown on all devices, and its conversation once it was accepted on one of them",
    arguments: SynapseClientTests.addresses, [false, true])
  func accepted(_ address: URL, isDirect: Bool) async throws {
    try await withFolder { folder in
      let scene = try await Scene(address, in: folder)
      let room = try await scene.invite(to: "Holiday", isDirect: isDirect)
      for device in scene.devices {
        let chat = try await device.conversation { $0.ref == room }
        #expect(chat.invitation == .init(inviter: scene.bob.user, isAccepted: false))
        #expect(chat.type == (isDirect ? .direct : .group) && chat.unreadCount == 0)
        if !isDirect { #expect(chat.title == "Holiday") }
      }
      let phone = scene.devices[0]
      let id = try await phone.conversation { $0.ref == room }.id
      try await phone.conversations.accept(id)
      _ = try await phone.send(TextContent("thanks"), to: id).result
      for device in scene.devices {
        let chat = try await device.conversation { $0.ref == room && $0.invitation == nil }
        #expect(chat.type == (isDirect ? .direct : .group))
        let context = device.context(for: chat.id)
        let messages = try await context.messages { $0.last?.content.displayedText == "thanks" }
        #expect(messages.map(\.content.displayedText) == ["welcome", "thanks"])
      }
      await scene.close()
    }
  }

  @Test(
    "An invitation that was declined or withdrawn disappears on all devices, and can be made again",
    arguments: SynapseClientTests.addresses, [false, true])
  func ended(_ address: URL, isWithdrawn: Bool) async throws {
    try await withFolder { folder in
      let scene = try await Scene(address, in: folder)
      let room = try await scene.invite(to: "Work")
      for device in scene.devices { try await device.conversation { $0.invitation != nil } }
      if isWithdrawn {
        try await TestRequest("POST", scene.bob, "rooms", room.rawValue, "kick").send(
          #"{"user_id":"\#(scene.user.rawValue)"}"#)
      } else {
        let phone = scene.devices[0]
        try await phone.conversations.decline(try await phone.conversation { $0.ref == room }.id)
      }
      for device in scene.devices { try await hasNo(room, device) }
      try await TestRequest("POST", scene.bob, "rooms", room.rawValue, "invite").send(
        #"{"user_id":"\#(scene.user.rawValue)"}"#)
      for device in scene.devices { try await device.conversation { $0.ref == room && $0.invitation != nil } }
      let tablet = scene.devices[1]
      try await tablet.conversations.accept(try await tablet.conversation { $0.ref == room }.id)
      for device in scene.devices {
        let chat = try await device.conversation { $0.ref == room && $0.invitation == nil }
        _ = try await device.context(for: chat.id).messages { !$0.isEmpty }
      }
      await scene.close()
    }
  }
}
