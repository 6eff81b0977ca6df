import SkeinModel

/// The pinned messages of a room: a state event that all members share.
struct Pins: Sendable {
  /// Where Skein keeps the time of each pin, which Matrix does not keep.
  private static let timesKey = "io.skein.times"

  /// The pinned messages, in the order in which they were pinned.
  private(set) var messages: [ServerMessageID] = []
  private var times: [String: JSONValue] = [:]
  /// The time of the last change; nil if nothing was ever pinned.
  let changed: Timestamp?
  /// The messages that the last change has pinned or unpinned.
  let changes: [ServerMessageID]

  init() { (changed, changes) = (nil, []) }

  init(_ event: RoomEvent) { self.init(event.content, event.unsigned["prev_content"], at: event.time) }

  /// Reads the answer to a request of the state: an event from newer homeservers, its content from older ones.
  init(state: JSONValue) {
    let time = state["origin_server_ts"]?.integer.map { Timestamp(milliseconds: $0) }
    self.init(state["content"] ?? state, nil, at: time)
  }

  private init(_ content: JSONValue, _ before: JSONValue?, at time: Timestamp?) {
    messages = Self.messages(content)
    times = content[Self.timesKey]?.object ?? [:]
    changed = time
    changes = Array(Set(messages).symmetricDifference(before.map(Self.messages) ?? []))
  }

  private static func messages(_ content: JSONValue) -> [ServerMessageID] {
    (content["pinned"]?.array ?? []).compactMap(\.eventID)
  }

  var json: JSONValue {
    var content: JSONValue = ["pinned": .strings(messages.map(\.rawValue))]
    let known = times.filter { time in messages.contains { $0.rawValue == time.key } }
    if !known.isEmpty { content[Self.timesKey] = .object(known) }
    return content
  }

  /// The time at which a message was pinned; nil if it is not pinned.
  func time(of message: IncomingMessage) -> Timestamp? {
    guard let id = message.serverID, messages.contains(id) else { return nil }
    guard let time = times[id.rawValue]?.integer.map({ Timestamp(milliseconds: $0) }) else {
      return changed ?? message.time
    }
    // The clock of the client that pinned the message may be ahead of the homeserver's.
    return min(time, changed ?? time)
  }

  /// Pins or unpins a message. Returns whether this changes anything.
  mutating func set(_ message: ServerMessageID, to isSet: Bool, at time: Timestamp) -> Bool {
    guard messages.contains(message) != isSet else { return false }
    messages.removeAll { $0 == message }
    if isSet {
      messages.append(message)
      times[message.rawValue] = .integer(time.rawValue)
    }
    return true
  }
}

/// The flags of a room's messages.
struct RoomFlags: Sendable {
  var pins: Pins
  var stars: Stars

  /// Gives a message its flags, and the revision that follows from them.
  func apply(to message: inout IncomingMessage) {
    guard let id = message.serverID else { return }
    message.flags[.pin] = pins.time(of: message)
    message.flags[.star] = stars.times[id]
    let changes = stars.changes.filter { $0.message == id }.map(\.time)
    let times = message.flags.values.map(\.rawValue) + changes.map(\.rawValue)
    message.revision = max(message.revision, times.max() ?? 0)
  }
}
