import Foundation
import Skein

extension StyledServer.State {
  /// What a page is taken from: an entry's place in the log, and the key that orders it.
  private struct Line {
    let place: Int
    let key: Int64
    let message: IncomingMessage
  }

  /// Tokens name the part of the log that they were made from and the key that comes next, so that what arrives between
  /// two pages changes neither.
  func page(
    of ref: ConversationRef, at anchor: HistoryAnchor, limit: Int, for user: UserID, on device: Int,
    _ style: ServerStyle
  ) throws -> HistoryPage {
    let room = try room(ref, for: user)
    var (lines, isNewest) = (lines(of: room, before: log.count, for: device, style), false)
    switch (anchor, style.pages) {
    case (.newest, _): isNewest = true
    case (.before(let position), .positions): lines = lines.filter { $0.key < position.rawValue }
    case (.token(let token), .arrival), (.token(let token), .shuffled):
      let parts = token.rawValue.split(separator: "-").compactMap { Int64($0) }
      guard parts.count == 2 else { throw BackendError(.permanent, "This is no token.") }
      lines = self.lines(of: room, before: Int(parts[0]), for: device, style).filter { $0.key < parts[1] }
    default: throw BackendError(.unsupported, "There is no such anchor.")
    }
    let page = lines.suffix(max(limit, 1))
    let edge = anchor.edge ?? log.count
    return HistoryPage(
      messages: page.map(\.message), reachesStart: page.count == lines.count, reachesEnd: isNewest,
      previous: style.pages == .positions
        ? nil : page.first.map { HistoryToken(rawValue: "\(edge)-\($0.key)") })
  }

  /// Where paging goes back from the messages of a room that a sync left out, all before a place in the log.
  static func token(before place: Int) -> HistoryToken { HistoryToken(rawValue: "\(place)-\(Int64.max)") }

  private func lines(of room: Int, before place: Int, for device: Int, _ style: ServerStyle) -> [Line] {
    let entries = log.enumerated().prefix(max(place, 0)).filter { $0.element.room == room }
    var lines: [Line] = []
    for (place, entry) in entries {
      guard let message = shown(entry, to: device, style) else { continue }
      let key =
        switch style.pages {
        case .positions: message.position?.rawValue ?? 0
        case .arrival: Int64(place)
        case .shuffled: Int64(place ^ 1)
        }
      lines.append(Line(place: place, key: key, message: message))
    }
    return lines.sorted { $0.key < $1.key }
  }
}

extension HistoryAnchor {
  /// The part of the log that a token was made from.
  fileprivate var edge: Int? {
    if case .token(let token) = self {
      token.rawValue.split(separator: "-").first.flatMap { Int($0) }
    } else {
      nil
    }
  }
}
