import SkeinModel

/// An event of a room, as the homeserver returns it.
struct RoomEvent: Sendable, Hashable {
  /// The types of events that are messages, and the types of events that change messages or the room.
  enum Kind {
    static let message = "m.room.message"
    static let sticker = "m.sticker"
    static let encrypted = "m.room.encrypted"
    static let messages = [message, sticker, encrypted]
    static let reaction = "m.reaction"
    static let redaction = "m.room.redaction"
    static let pins = "m.room.pinned_events"
    static let member = "m.room.member"
    static let name = "m.room.name"
    static let create = "m.room.create"
    static let encryption = "m.room.encryption"
    static let tombstone = "m.room.tombstone"
  }

  /// The field of a redaction by Skein that names the message of a redacted reaction, which no longer names it itself.
  static let redactedReactionKey = "io.skein.redacted_reaction_to"

  let id: ServerMessageID
  let type: String
  let sender: UserID
  let time: Timestamp
  /// The key of a state event; nil for all other events.
  let stateKey: String?
  let content: JSONValue
  let unsigned: JSONValue
  /// The room; nil in answers that name the room elsewhere.
  let room: ConversationRef?
  /// The redacted event of a redaction; its place depends on the version of the room.
  let redacts: ServerMessageID?

  /// Returns nil if a required field is missing or malformed.
  init?(_ json: JSONValue) {
    guard let id = json["event_id"]?.eventID, let type = json["type"]?.string,
      let sender = json["sender"]?.id("@"), let time = json["origin_server_ts"]?.integer
    else { return nil }
    self.id = id
    self.type = type
    self.sender = UserID(rawValue: sender)
    self.time = Timestamp(milliseconds: time)
    stateKey = json["state_key"]?.string
    content = json["content"] ?? [:]
    unsigned = json["unsigned"] ?? [:]
    room = json["room_id"]?.string.map { ConversationRef(rawValue: $0) }
    redacts = (json["redacts"] ?? content["redacts"])?.eventID
  }

  /// Whether the event is in a room, or does not name its room.
  func isIn(_ room: ConversationRef) -> Bool { self.room ?? room == room }

  /// The relation of the event to another event.
  private var relation: JSONValue? { content["m.relates_to"] }

  private func related(as type: String) -> ServerMessageID? {
    guard relation?["rel_type"]?.string == type else { return nil }
    return relation?["event_id"]?.eventID
  }

  /// The message that this event replaces, if it is an edit.
  var editedMessage: ServerMessageID? { related(as: "m.replace") }

  /// The message and the key, if this event is a reaction.
  var reaction: (message: ServerMessageID, key: ReactionKey)? {
    guard type == Kind.reaction, let message = related(as: "m.annotation"),
      let key = relation?["key"]?.string
    else { return nil }
    return (message, ReactionKey(rawValue: key))
  }

  /// The message that this event changes, if it is an edit or a reaction.
  var changedMessage: ServerMessageID? { editedMessage ?? reaction?.message }

  /// The first message of the thread that this event is in.
  var threadRoot: ServerMessageID? { related(as: "m.thread") }

  /// The message that this event replies to. A message in a thread may name its predecessor there, as a reply for clients
  /// that know no threads.
  var repliedMessage: ServerMessageID? {
    if threadRoot != nil, relation?["is_falling_back"]?.bool == true { return nil }
    return relation?["m.in_reply_to"]?["event_id"]?.eventID
  }

  /// The room that replaces the room, if this is a tombstone.
  var replacement: ConversationRef? {
    type == Kind.tombstone ? content["replacement_room"]?.roomID : nil
  }

  /// Whether the event is shown as a message. Edits are events of the same type, but no messages.
  var isMessage: Bool { Kind.messages.contains(type) && stateKey == nil && editedMessage == nil }

  /// The redaction that has removed the content; nil if the event was not redacted.
  var redaction: RoomEvent? { unsigned["redacted_because"].flatMap(RoomEvent.init) }

  var isRedacted: Bool { unsigned["redacted_because"] != nil }

  /// The newest valid edit, which the homeserver returns with the message.
  var edit: RoomEvent? {
    unsigned["m.relations"]?["m.replace"].flatMap(RoomEvent.init).flatMap { isEdited(by: $0) ? $0 : nil }
  }

  /// Whether another event is a valid edit of this event: of the same type, and by the same sender.
  func isEdited(by edit: RoomEvent) -> Bool {
    edit.sender == sender && edit.type == type && edit.content["m.new_content"]?.object != nil
  }
}
