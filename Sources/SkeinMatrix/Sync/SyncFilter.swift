extension JSONValue {
  /// The filter of a request with a number, in a field that no homeserver knows. Synapse answers a sync that it has answered in
  /// the last two minutes with the same answer, unless the filters differ. A repeated request with the same number joins the
  /// one that Synapse still computes, or gets its answer.
  func numbered(_ number: Int64 = .random(in: 0..<1 << 32)) -> JSONValue {
    var filter = self
    filter["io.skein.request"] = .integer(number)
    return filter
  }
}

/// The parts of a sync or of a page that the homeserver returns.
enum SyncFilter {
  private static let nothing: JSONValue = ["not_types": ["*"]]

  /// Messages and their changes, at most `limit` events in each room. The token before the oldest event is then also
  /// the token before the oldest message.
  ///
  /// - Parameter isPush: whether typing and presence are returned as well.
  static func news(limit: Int, isPush: Bool) -> JSONValue {
    let state = [
      RoomEvent.Kind.pins, RoomEvent.Kind.member, RoomEvent.Kind.name, RoomEvent.Kind.create,
      RoomEvent.Kind.encryption, RoomEvent.Kind.tombstone,
    ]
    let changes = [RoomEvent.Kind.reaction, RoomEvent.Kind.redaction]
    return [
      "presence": isPush ? [:] : nothing,
      "account_data": ["types": .strings([DirectRooms.type, RoomSettings.rulesType])],
      "room": [
        "timeline": [
          "limit": .integer(Int64(limit)), "types": .strings(RoomEvent.Kind.messages + changes + state),
          "lazy_load_members": true,
        ],
        "state": ["types": .strings(state), "lazy_load_members": true],
        "ephemeral": ["types": .strings(isPush ? ["m.receipt", "m.typing"] : ["m.receipt"])],
        "account_data": [
          "types": .strings([Stars.type, RoomSettings.tagsType, RoomSettings.markType])
        ],
      ],
    ]
  }

  /// Presence only. The token of the answer is a cheap start for a push channel.
  static let presence: JSONValue = ["account_data": nothing, "room": ["rooms": []]]

  /// Invitations only: no room has this id.
  static let invitations: JSONValue = ["presence": nothing, "account_data": nothing, "room": noRoom]

  /// Presence and invitations.
  static let start: JSONValue = ["account_data": nothing, "room": noRoom]

  private static let noRoom: JSONValue = [
    "rooms": ["!none:invalid"], "timeline": ["limit": 1], "state": nothing, "ephemeral": nothing,
  ]

  /// The messages of a page of history.
  static let messages = page(RoomEvent.Kind.messages)

  /// Messages and their changes.
  static let changes = page(
    RoomEvent.Kind.messages + [RoomEvent.Kind.reaction, RoomEvent.Kind.redaction, RoomEvent.Kind.pins])

  private static func page(_ types: [String]) -> JSONValue {
    ["types": .strings(types), "lazy_load_members": true]
  }
}
