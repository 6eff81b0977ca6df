import SkeinModel

/// The starred messages of a room: account data of a type of Skein's own, which only this account sees.
struct Stars: Sendable {
  static let type = "io.skein.stars"
  /// The number of changes that are kept, so that other devices see which messages have lost their star.
  private static let memory = 20

  /// The starred messages with the times of their stars.
  private(set) var times: [ServerMessageID: Timestamp] = [:]
  /// The last changes, oldest first.
  private(set) var changes: [(message: ServerMessageID, time: Timestamp)] = []

  init() {}

  init(_ content: JSONValue) {
    for (id, time) in content["stars"]?.object ?? [:] {
      if let time = time.integer { times[ServerMessageID(rawValue: id)] = Timestamp(milliseconds: time) }
    }
    changes = (content["changes"]?.array ?? []).suffix(Self.memory).compactMap { change in
      guard let id = change["id"]?.string, let time = change["time"]?.integer else { return nil }
      return (ServerMessageID(rawValue: id), Timestamp(milliseconds: time))
    }
  }

  var json: JSONValue {
    let stars = times.map { ($0.key.rawValue, JSONValue.integer($0.value.rawValue)) }
    return [
      "stars": .object(Dictionary(stars) { $1 }),
      "changes": .array(
        changes.map { ["id": .string($0.message.rawValue), "time": .integer($0.time.rawValue)] }),
    ]
  }

  /// Sets or removes a star. Returns whether this changes anything.
  mutating func set(_ message: ServerMessageID, to isSet: Bool, at time: Timestamp) -> Bool {
    guard (times[message] != nil) != isSet else { return false }
    times[message] = isSet ? time : nil
    changes.removeAll { $0.message == message }
    changes = (changes + [(message, time)]).suffix(Self.memory)
    return true
  }
}
