import SkeinModel

/// The answer to a sync.
struct SyncAnswer: Decodable, Sendable {
  private let token: BatchToken
  private let rooms: Rooms?
  private let accountData: Events?
  private let presence: Events?

  private enum CodingKeys: String, CodingKey {
    case token = "next_batch", rooms, accountData = "account_data", presence
  }

  struct Events: Decodable, Sendable { let events: [JSONValue]? }

  private struct Rooms: Decodable, Sendable {
    let join: [String: JoinedRoom]?
    let invite: [String: Invited]?
    let leave: [String: JSONValue]?
  }

  private struct Invited: Decodable, Sendable {
    let state: Events?
    private enum CodingKeys: String, CodingKey { case state = "invite_state" }
  }

  var next: SyncCursor { SyncCursor(rawValue: token.text) }

  /// The joined rooms with news, ordered by their ids. Rooms without other members come last: of several rooms with one user,
  /// the engine opens the first. Rooms with malformed ids are left out.
  var joined: [(ref: ConversationRef, room: JoinedRoom)] {
    let sorted = (rooms?.join ?? [:]).sorted {
      ($0.value.isAlone ? 1 : 0, $0.key) < ($1.value.isAlone ? 1 : 0, $1.key)
    }
    return sorted.compactMap { id, room in JSONValue.string(id).roomID.map { ($0, room) } }
  }

  /// The rooms that the account has left, was removed from or is no longer invited to, ordered by their ids.
  var left: [ConversationRef] { (rooms?.leave ?? [:]).keys.sorted().map { ConversationRef(rawValue: $0) } }

  /// The invitations, ordered by the ids of their rooms.
  func invitations(to user: UserID) -> [ConversationInvitation] {
    (rooms?.invite ?? [:]).sorted { $0.key < $1.key }.compactMap {
      ConversationInvitation($0.key, $0.value.state?.events ?? [], to: user)
    }
  }

  /// The state that a homeserver reveals of a room that the account is invited to.
  func invitedState(of room: ConversationRef) -> [JSONValue] {
    rooms?.invite?[room.rawValue]?.state?.events ?? []
  }

  /// The one-to-one chats, if they have changed.
  var directRooms: JSONValue? { accountData(DirectRooms.type) }

  /// The muted rooms, if the push rules have changed.
  var mutedRooms: [ConversationRef]? { accountData(RoomSettings.rulesType).map(RoomSettings.muted) }

  private func accountData(_ type: String) -> JSONValue? {
    accountData?.events?.last { $0["type"]?.string == type }?["content"]
  }

  /// The users whose presence is reported. The time of the last activity is only an age in the answer.
  func presences(at now: Timestamp) -> [(user: UserID, presence: Presence)] {
    (presence?.events ?? []).compactMap { event in
      guard let user = event["sender"]?.string, let content = event["content"],
        let state = content["presence"]?.string
      else { return nil }
      let isOnline = state == "online" || state == "unavailable"
      let age = content["last_active_ago"]?.integer
      return (
        UserID(rawValue: user),
        Presence(isOnline: isOnline, lastSeen: isOnline ? nil : age.map { now + .milliseconds(-max($0, 0)) })
      )
    }
  }

  /// Whether anything besides typing and presence has happened.
  func hasNews(for user: UserID) -> Bool {
    directRooms != nil || mutedRooms != nil || !left.isEmpty || !invitations(to: user).isEmpty
      || joined.contains { $0.room.hasNews }
  }
}

/// The news of a room.
struct JoinedRoom: Decodable, Sendable {
  private let timeline: Timeline?
  private let stateEvents: SyncAnswer.Events?
  private let ephemeral: SyncAnswer.Events?
  private let accountData: SyncAnswer.Events?
  private let summary: JSONValue?
  /// The numbers of notifications and of mentions after the own receipt.
  let notifications: JSONValue?

  private enum CodingKeys: String, CodingKey {
    case timeline, stateEvents = "state", ephemeral, accountData = "account_data", summary
    case notifications = "unread_notifications"
  }

  private struct Timeline: Decodable, Sendable {
    let events: EventList?
    let limited: Bool?
    let previous: BatchToken?
    private enum CodingKeys: String, CodingKey { case events, limited, previous = "prev_batch" }
  }

  /// The newest events, oldest first, each once.
  var events: [RoomEvent] { timeline?.events?.events ?? [] }
  /// Whether events are missing before ``events``.
  var isLimited: Bool { timeline?.limited ?? false }
  var previous: String? { timeline?.previous?.text }

  /// The state before ``events``: all of it, or the part that has changed.
  var state: [RoomEvent] { (stateEvents?.events ?? []).compactMap(RoomEvent.init) }

  /// A receipt of a user.
  struct Receipt: Sendable, Hashable {
    let type: String
    let user: UserID
    let event: String
    let time: Int64
  }

  /// The receipts for the room, without those for a thread only, ordered by events and users.
  var receipts: [Receipt] {
    let contents = (ephemeral?.events ?? []).filter { $0["type"]?.string == "m.receipt" }
    let all = contents.flatMap { $0["content"]?.object ?? [:] }.flatMap { event, types in
      (types.object ?? [:]).flatMap { type, users in
        (users.object ?? [:]).compactMap { user, receipt -> Receipt? in
          let thread = receipt["thread_id"]
          guard thread == nil || thread == "main" else { return nil }
          let time = receipt["ts"]?.integer ?? 0
          return Receipt(type: type, user: UserID(rawValue: user), event: event, time: time)
        }
      }
    }
    return all.sorted { ($0.event, $0.user.rawValue, $0.type) < ($1.event, $1.user.rawValue, $1.type) }
  }

  /// The users who are typing; nil if that has not changed.
  var typing: [UserID]? {
    let event = ephemeral?.events?.last { $0["type"]?.string == "m.typing" }
    return event.map { ($0["content"]?["user_ids"]?.strings ?? []).map { UserID(rawValue: $0) } }
  }

  /// The content of the room's account data of a type, if it has changed.
  func accountData(_ type: String) -> JSONValue? {
    accountData?.events?.last { $0["type"]?.string == type }?["content"]
  }

  /// The current value of a state event, if it has changed.
  func current(_ type: String) -> RoomEvent? {
    events.last { $0.type == type && $0.stateKey == "" }
      ?? state.last { $0.type == type && $0.stateKey == "" }
  }

  /// The number of joined and invited members, if it has changed.
  var memberCount: Int64? {
    let counts = ["m.joined_member_count", "m.invited_member_count"].compactMap { summary?[$0]?.integer }
    return counts.isEmpty ? nil : counts.reduce(0, +)
  }

  fileprivate var isAlone: Bool { memberCount == 1 }

  /// Whether a user has joined the room among ``events``.
  func isJoined(by user: UserID) -> Bool {
    events.contains { event in
      event.type == RoomEvent.Kind.member && event.stateKey == user.rawValue
        && event.content["membership"] == "join" && event.unsigned["prev_content"]?["membership"] != "join"
    }
  }

  var hasNews: Bool {
    isLimited || !events.isEmpty || !state.isEmpty || !receipts.isEmpty
      || accountData?.events?.isEmpty == false
  }
}
