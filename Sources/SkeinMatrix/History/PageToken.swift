import SkeinModel

/// The place from which a page of history continues: a token of the homeserver with its direction.
enum PageToken: Sendable, Hashable {
  case back(String)
  case forward(String)

  var token: HistoryToken {
    switch self {
    case .back(let token): HistoryToken(rawValue: "back \(token)")
    case .forward(let token): HistoryToken(rawValue: "forward \(token)")
    }
  }

  /// Returns nil if the token has another form.
  init?(_ token: HistoryToken) {
    let parts = token.rawValue.split(separator: " ", maxSplits: 1).map(String.init)
    switch (parts.first, parts.last) {
    case ("back", let token?) where parts.count == 2: self = .back(token)
    case ("forward", let token?) where parts.count == 2: self = .forward(token)
    default: return nil
    }
  }
}
