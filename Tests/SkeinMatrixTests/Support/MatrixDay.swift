import Foundation
import Skein
import SkeinMatrix
import Testing

/// Three accounts with two devices each, in a group and in two one-to-one chats.
struct MatrixDay: Sendable {
  /// A chat on one device.
  struct Place: Sendable {
    let device: MatrixDevice
    let room: ConversationRef
    let context: ChatContext
  }

  /// The devices of Alice, Bob and Carol, two of each, one account after the other.
  let devices: [MatrixDevice]
  /// All chats of all devices.
  let places: [Place]
  let rooms: [ConversationRef]

  /// Creates the accounts, and returns once each device has its chats.
  init(on address: URL) async throws {
    let server = try SynapseServer(address)
    var devices: [MatrixDevice] = []
    for name in ["alice", "bob", "carol"] {
      let user = try await server.makeUser()
      for number in 1...2 {
        devices.append(try await MatrixDevice("\(name)\(number)", of: user, on: address))
      }
    }
    self.devices = devices
    let (alice, bob, carol) = (devices[0], devices[2], devices[4])
    let chats = [
      (alice, try await alice.client.openGroup(title: "Group", members: [bob.user, carol.user])),
      (alice, try await alice.client.open(.direct(bob.user))),
      (bob, try await bob.client.open(.direct(carol.user))),
    ]
    var rooms: [ConversationRef] = []
    for (device, chat) in chats {
      let opened = try await device.client.conversation { $0.id == chat && $0.ref != nil }
      rooms.append(try #require(opened.ref))
    }
    self.rooms = rooms
    let members = [[0, 1, 2, 3, 4, 5], [0, 1, 2, 3], [2, 3, 4, 5]]
    var places: [Place] = []
    for (room, members) in zip(rooms, members) {
      for member in members {
        let device = devices[member]
        places.append(Place(device: device, room: room, context: try await device.context(of: room)))
      }
    }
    self.places = places
  }

  func close() async {
    for device in devices { await device.client.close() }
    for device in devices { await device.close() }
  }

  /// Waits until all devices have a connection.
  func reachServer() async throws {
    for device in devices { try await device.client.connection { $0 == .online } }
  }

  /// Waits until no device has anything to send.
  func finishSending() async throws {
    for place in places {
      try await place.context.messages { messages in
        messages.allSatisfy { $0.status == .sent && !$0.hasPendingAction }
      }
    }
  }
}

/// Everything that one device does in one chat, and the texts that must be the result.
actor DayDiary {
  let place: MatrixDay.Place
  private var sent: [Int: SentMessage] = [:]
  private var texts: [Int: String] = [:]
  /// The reactions, each with the server id of its message.
  private(set) var reactions: Set<String> = []

  init(_ place: MatrixDay.Place) { self.place = place }

  /// The texts that the server must have in this order, without the recalled messages.
  var expected: [String] { texts.sorted { $0.key < $1.key }.map(\.value) }

  /// The beginning of all texts of this device.
  nonisolated var prefix: String { "\(place.device.name) " }

  /// Sends a text, and then edits, recalls, reacts or reads, depending on the number of the round.
  @discardableResult
  func write(_ round: Int) async throws -> SentMessage {
    let messenger = place.context.messenger
    let text = "\(prefix)\(round)"
    let message = try await messenger.send(TextContent(text))
    (sent[round], texts[round]) = (message, text)
    switch round % 4 {
    case 0:
      if let earlier = sent[round - 1], texts[round - 1] != nil {
        try await messenger.edit(earlier.id, to: TextContent("\(text), edited"))
        texts[round - 1] = "\(text), edited"
      }
    case 1:
      if let earlier = sent[round - 3], texts.removeValue(forKey: round - 3) != nil {
        try await messenger.recall(earlier.id)
      }
    case 2:
      // The messages of the first round are neither edited nor recalled.
      let other = place.context.messages.compactMap(\.message).last {
        !$0.isOwn && $0.status == .sent && !$0.isRecalled && $0.content.displayedText.hasSuffix(" 1")
      }
      if let other, let id = other.serverID {
        try await messenger.addReaction("👍", to: other.id)
        reactions.insert("\(id.rawValue) 👍 \(place.device.user.rawValue)")
      }
    default: try await place.context.markRead()
    }
    return message
  }
}
