/// The parts of a sync that the homeserver returns.
struct SyncFilter: Sendable {
  private let json: JSONValue

  /// The filter as a query parameter.
  var text: String {
    get throws { try json.text }
  }

  /// The filter with a field that no homeserver knows. Synapse answers a sync that it has answered in the last two
  /// minutes with the same answer, unless the filters differ.
  var unique: SyncFilter { numbered(.random(in: 0..<1 << 32)) }

  /// The filter of a request with a number. A repeated request with the same number joins the one that Synapse still
  /// computes, or gets its answer.
  func numbered(_ number: Int64) -> SyncFilter {
    var json = json
    json["io.skein.request"] = .integer(number)
    return SyncFilter(json: json)
  }

  private static let nothing: JSONValue = ["not_types": ["*"]]

  /// Messages and their changes, at most `limit` events in each room. The token before the oldest event is then also
  /// the token before the oldest message.
  ///
  /// - Parameter isPush: whether typing and presence are returned as well.
  static func news(limit: Int, isPush: Bool) -> SyncFilter {
    let state: [JSONValue] = [
      .string(RoomEvent.Kind.pins), .string(RoomEvent.Kind.member), .string(RoomEvent.Kind.name),
      .string(RoomEvent.Kind.create), .string(RoomEvent.Kind.encryption), .string(RoomEvent.Kind.tombstone),
    ]
    let messages = RoomEvent.Kind.messages.map { JSONValue.string($0) }
    let changes: [JSONValue] = [.string(RoomEvent.Kind.reaction), .string(RoomEvent.Kind.redaction)]
    let ephemeral: [JSONValue] = isPush ? ["m.receipt", "m.typing"] : ["m.receipt"]
    return SyncFilter(json: [
      "presence": isPush ? [:] : nothing,
      "account_data": ["types": [.string(DirectRooms.type), .string(RoomSettings.rulesType)]],
      "room": [
        "timeline": [
          "limit": .integer(Int64(limit)), "types": .array(messages + changes + state),
          "lazy_load_members": true,
        ],
        "state": ["types": .array(state), "lazy_load_members": true],
        "ephemeral": ["types": .array(ephemeral)],
        "account_data": [
          "types": [
            .string(Stars.type), .string(RoomSettings.tagsType), .string(RoomSettings.markType),
          ]
        ],
      ],
    ])
  }

  /// Presence only. The token of the answer is a cheap start for a push channel.
  static let presence = SyncFilter(json: ["account_data": nothing, "room": ["rooms": []]])

  /// Invitations only: no room has this id.
  static let invitations = SyncFilter(json: [
    "presence": nothing, "account_data": nothing, "room": noRoom,
  ])

  /// Presence and invitations.
  static let start = SyncFilter(json: ["account_data": nothing, "room": noRoom])

  private static let noRoom: JSONValue = [
    "rooms": ["!none:invalid"], "timeline": ["limit": 1], "state": nothing, "ephemeral": nothing,
  ]

  /// The messages of a page of history.
  static var messages: String {
    get throws { try page(RoomEvent.Kind.messages) }
  }

  /// Messages and their changes.
  static var changes: String {
    get throws {
      let changes = [RoomEvent.Kind.reaction, RoomEvent.Kind.redaction, RoomEvent.Kind.pins]
      return try page(RoomEvent.Kind.messages + changes)
    }
  }

  private static func page(_ types: [String]) throws -> String {
    try (["types": .array(types.map { .string($0) }), "lazy_load_members": true] as JSONValue).text
  }
}
