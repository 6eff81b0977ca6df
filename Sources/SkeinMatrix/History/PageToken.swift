import SkeinModel

/// The place from which a page of history continues: a token of the homeserver with its direction and its room. The history
/// of a room goes on in the room that it replaces.
struct PageToken: Sendable, Hashable {
  enum Direction: String, Sendable { case back, forward }

  let direction: Direction
  let room: ConversationRef
  /// Nil: from the newest message on, or from the first one.
  let origin: String?

  static func back(_ room: ConversationRef, _ origin: String?) -> PageToken {
    PageToken(direction: .back, room: room, origin: origin)
  }

  static func forward(_ room: ConversationRef, _ origin: String?) -> PageToken {
    PageToken(direction: .forward, room: room, origin: origin)
  }

  var token: HistoryToken {
    let parts = [direction.rawValue, room.rawValue] + (origin.map { [$0] } ?? [])
    return HistoryToken(rawValue: parts.joined(separator: " "))
  }
}

extension PageToken {
  /// Returns nil if the token has another form.
  ///
  /// - Parameter room: the room of a token that names none, as those of earlier versions.
  init?(_ token: HistoryToken, in room: ConversationRef) {
    let parts = token.rawValue.split(separator: " ", maxSplits: 1).map(String.init)
    guard parts.count == 2, let direction = Direction(rawValue: parts[0]) else { return nil }
    self.init(direction: direction, room: room, origin: parts[1])
    if parts[1].hasPrefix("!") {
      let names = parts[1].split(separator: " ", maxSplits: 1).map(String.init)
      guard let named = JSONValue.string(names[0]).roomID else { return nil }
      self.init(direction: direction, room: named, origin: names.count == 2 ? names[1] : nil)
    }
  }
}
