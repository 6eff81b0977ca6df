import SkeinModel

/// The place from which a page of history continues: a token of the homeserver with its direction, or a message.
enum PageToken: Sendable, Hashable {
  case back(String)
  case forward(String)
  /// Back from a message that is not included. The homeserver's token is fetched when the page is requested.
  case before(ServerMessageID)

  var token: HistoryToken {
    switch self {
    case .back(let token): HistoryToken(rawValue: "back \(token)")
    case .forward(let token): HistoryToken(rawValue: "forward \(token)")
    case .before(let message): HistoryToken(rawValue: "before \(message.rawValue)")
    }
  }

  /// Returns nil if the token has another form.
  init?(_ token: HistoryToken) {
    let parts = token.rawValue.split(separator: " ", maxSplits: 1).map(String.init)
    switch (parts.first, parts.last) {
    case ("back", let token?) where parts.count == 2: self = .back(token)
    case ("forward", let token?) where parts.count == 2: self = .forward(token)
    case ("before", let id?) where parts.count == 2: self = .before(ServerMessageID(rawValue: id))
    default: return nil
    }
  }
}
