import SkeinModel

/// The place from which a page of history continues: a token of the homeserver with its direction and its room. The history
/// of a room goes on in the room that it replaces.
enum PageToken: Sendable, Hashable {
  /// Nil as token: from the newest message on.
  case back(ConversationRef, String?)
  /// Nil as token: from the first message on.
  case forward(ConversationRef, String?)

  var token: HistoryToken {
    switch self {
    case .back(let room, let token): Self.text("back", room, token)
    case .forward(let room, let token): Self.text("forward", room, token)
    }
  }

  private static func text(_ direction: String, _ room: ConversationRef, _ token: String?) -> HistoryToken {
    HistoryToken(rawValue: ([direction, room.rawValue] + (token.map { [$0] } ?? [])).joined(separator: " "))
  }

  /// Returns nil if the token has another form.
  ///
  /// - Parameter room: the room of a token that names none, as those of earlier versions.
  init?(_ token: HistoryToken, in room: ConversationRef) {
    let parts = token.rawValue.split(separator: " ", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return nil }
    var (room, rest): (ConversationRef, String?) = (room, parts[1])
    if parts[1].hasPrefix("!") {
      let names = parts[1].split(separator: " ", maxSplits: 1).map(String.init)
      guard let named = JSONValue.string(names[0]).roomID else { return nil }
      (room, rest) = (named, names.count == 2 ? names[1] : nil)
    }
    switch parts[0] {
    case "back": self = .back(room, rest)
    case "forward": self = .forward(room, rest)
    default: return nil
    }
  }
}
