import SkeinModel

/// The answer to a sync.
struct SyncAnswer: Sendable {
  let next: SyncCursor
  /// The joined rooms with news, ordered by their ids. Rooms without other members come last: of several rooms with one user,
  /// the engine opens the first. Rooms with malformed ids are left out.
  let joined: [(ref: ConversationRef, room: JoinedRoom)]
  /// The rooms that the account has left, was removed from or is no longer invited to, ordered by their ids.
  let left: [ConversationRef]
  /// The states that homeservers reveal of the rooms that the account is invited to, ordered by the rooms' ids.
  private let invited: [(room: String, state: [JSONValue])]
  private let accountData: [JSONValue]
  private let presence: [JSONValue]

  init(_ answer: MatrixAnswer) throws {
    next = SyncCursor(rawValue: try answer.requiredToken("next_batch"))
    let rooms = try answer.object("rooms")
    let joined = try rooms.objects("join").compactMap {
      name, part -> (ref: ConversationRef, room: JoinedRoom)? in
      let room = try JoinedRoom(part)
      return JSONValue.string(name).roomID.map { ($0, room) }
    }
    self.joined = joined.filter { !$0.room.isAlone } + joined.filter(\.room.isAlone)
    left = try rooms.objects("leave").map { ConversationRef(rawValue: $0.name) }
    invited = try rooms.objects("invite").map {
      ($0.name, try $0.part.object("invite_state").array("events"))
    }
    accountData = try answer.object("account_data").array("events")
    presence = try answer.object("presence").array("events")
  }

  /// The invitations, ordered by the ids of their rooms.
  func invitations(to user: UserID) -> [ConversationInvitation] {
    invited.compactMap { ConversationInvitation($0.room, $0.state, to: user) }
  }

  /// The room that a room names as its predecessor in the invitation to it.
  func predecessor(of room: ConversationRef) -> ConversationRef? {
    let state = invited.first { $0.room == room.rawValue }?.state
    return state?.content(RoomEvent.Kind.create)?["predecessor"]?["room_id"]?.roomID
  }

  /// The one-to-one chats, if they have changed.
  var directRooms: JSONValue? { accountData.content(DirectRooms.type) }

  /// The muted rooms, if the push rules have changed.
  var mutedRooms: [ConversationRef]? { accountData.content(RoomSettings.rulesType).map(RoomSettings.muted) }

  /// The users whose presence is reported. The time of the last activity is only an age in the answer.
  func presences(at now: Timestamp) -> [(user: UserID, presence: Presence)] {
    presence.compactMap { event in
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
struct JoinedRoom: Sendable {
  /// The newest events, oldest first, each once.
  let events: [RoomEvent]
  /// Whether events are missing before ``events``.
  let isLimited: Bool
  /// The token before ``events``.
  let previous: String?
  /// The state before ``events``: all of it, or the part that has changed.
  let state: [RoomEvent]
  /// The number of joined and invited members, if it has changed.
  let memberCount: Int64?
  /// The numbers of notifications and of mentions after the own receipt.
  let notifications: JSONValue?
  private let ephemeral: [JSONValue]
  private let accountData: [JSONValue]

  init(_ room: MatrixAnswer) throws {
    let timeline = try room.object("timeline")
    events = try timeline.events("events")
    isLimited = try timeline.flag("limited")
    previous = try timeline.token("prev_batch")
    state = try room.object("state").array("events").compactMap(RoomEvent.init)
    let counts = ["m.joined_member_count", "m.invited_member_count"].compactMap {
      room["summary"]?[$0]?.integer
    }
    memberCount = counts.isEmpty ? nil : counts.reduce(0, +)
    notifications = room["unread_notifications"]
    ephemeral = try room.object("ephemeral").array("events")
    accountData = try room.object("account_data").array("events")
  }

  typealias Receipt = (type: String, user: UserID, event: String, time: Int64)

  /// The receipts for the room, without those for a thread only, ordered by events and users.
  var receipts: [Receipt] {
    let contents = ephemeral.filter { $0["type"]?.string == "m.receipt" }
    let all = contents.flatMap { $0["content"]?.object ?? [:] }.flatMap { event, types in
      (types.object ?? [:]).flatMap { type, users in
        (users.object ?? [:]).compactMap { user, receipt -> Receipt? in
          guard receipt["thread_id"] ?? "main" == "main" else { return nil }
          return (type, UserID(rawValue: user), event, receipt["ts"]?.integer ?? 0)
        }
      }
    }
    return all.sorted { ($0.event, $0.user.rawValue, $0.type) < ($1.event, $1.user.rawValue, $1.type) }
  }

  /// The users who are typing; nil if that has not changed.
  var typing: [UserID]? {
    ephemeral.content("m.typing").map { ($0["user_ids"]?.strings ?? []).map { UserID(rawValue: $0) } }
  }

  /// The content of the room's account data of a type, if it has changed.
  func accountData(_ type: String) -> JSONValue? { accountData.content(type) }

  /// The current value of a state event, if it has changed.
  func current(_ type: String) -> RoomEvent? {
    events.last { $0.type == type && $0.stateKey == "" }
      ?? state.last { $0.type == type && $0.stateKey == "" }
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
    isLimited || !events.isEmpty || !state.isEmpty || !receipts.isEmpty || !accountData.isEmpty
  }
}

extension [JSONValue] {
  /// The content of the last of these events that has a type.
  fileprivate func content(_ type: String) -> JSONValue? {
    last { $0["type"]?.string == type }?["content"]
  }
}
