import Foundation
import Skein

/// The content of a token: its direction, the length of the part of the log that is paged back, and the key
/// of a message.
///
/// Pages back contain messages of this part only. Messages that arrive meanwhile do not change these pages.
private struct Mark {
  enum Way: String { case back, on }
  let way: Way
  let edge: Int
  let key: Int64

  init(_ way: Way, _ edge: Int, _ key: Int64) { (self.way, self.edge, self.key) = (way, edge, key) }

  init(_ token: HistoryToken) throws {
    let parts = token.rawValue.split(separator: "/")
    guard parts.count == 3, let way = Way(rawValue: String(parts[0])), let edge = Int(parts[1]),
      let key = Int64(parts[2])
    else { throw BackendError(.permanent, "This is no token.") }
    self.init(way, edge, key)
  }

  var token: HistoryToken { HistoryToken(rawValue: "\(way.rawValue)/\(edge)/\(key)") }
}

extension StyledServer.State {
  /// An element of a page: a message, and the key that orders it.
  private struct Line {
    let key: Int64
    let message: IncomingMessage
  }

  func page(
    of ref: ConversationRef, at anchor: HistoryAnchor, limit: Int, for user: UserID, on device: Int,
    _ style: ServerStyle
  ) throws -> HistoryPage {
    let room = try room(ref, for: user)
    var lines = lines(of: room, before: log.count, for: user, on: device, style)
    var edge = log.count
    let range: Range<Int>
    let limit = max(limit, 1)
    switch anchor {
    case .newest: range = max(lines.count - limit, 0)..<lines.count
    case .before(let position) where style.pages == .positions:
      range = Self.range(before: lines.prefix { $0.key < position.rawValue }.count, limit)
    case .after(let position) where style.abilities.history.contains(.after):
      range = Self.range(after: lines.prefix { $0.key <= position.rawValue }.count, limit, of: lines.count)
    case .token(let token) where style.pages != .positions:
      let mark = try Mark(token)
      edge = mark.way == .back ? mark.edge : log.count
      lines = self.lines(of: room, before: edge, for: user, on: device, style)
      let count = lines.prefix { mark.way == .back ? $0.key < mark.key : $0.key <= mark.key }.count
      range =
        mark.way == .back
        ? Self.range(before: count, limit) : Self.range(after: count, limit, of: lines.count)
    case .time(let time) where style.abilities.history.contains(.time):
      let place = lines.firstIndex { $0.message.time >= time } ?? lines.count
      range = Self.range(after: max(min(place - limit / 2, lines.count - limit), 0), limit, of: lines.count)
    case .message(let id) where style.abilities.history.contains(.message):
      guard let place = lines.firstIndex(where: { $0.message.serverID == id }) else {
        throw BackendError(.permanent, "There is no such message.")
      }
      range = Self.range(after: max(place - limit / 2, 0), limit, of: lines.count)
    default: throw BackendError(.unsupported, "There is no such anchor.")
    }
    let page = lines[range]
    let hasTokens = style.pages != .positions
    return HistoryPage(
      messages: page.map(\.message), reachesStart: range.lowerBound == 0,
      reachesEnd: range.upperBound == lines.count && edge == log.count,
      previous: hasTokens ? page.first.map { Mark(.back, edge, $0.key).token } : nil,
      next: hasTokens ? page.last.map { Mark(.on, edge, $0.key).token } : nil)
  }

  private static func range(before place: Int, _ limit: Int) -> Range<Int> { max(place - limit, 0)..<place }

  private static func range(after place: Int, _ limit: Int, of count: Int) -> Range<Int> {
    place..<min(place + min(limit, count), count)
  }

  /// The token for paging back to the messages that a sync omitted, all before a place in the log.
  static func token(before place: Int) -> HistoryToken { Mark(.back, place, .max).token }

  private func lines(of room: Int, before place: Int, for user: UserID, on device: Int, _ style: ServerStyle)
    -> [Line]
  {
    let entries = log.enumerated().prefix(max(place, 0)).filter { $0.element.room == room }
    var lines: [Line] = []
    for (place, entry) in entries {
      guard let message = shown(entry, to: user, on: device, style) else { continue }
      let key =
        switch style.pages {
        case .positions: message.position?.rawValue ?? 0
        case .arrival: Int64(place)
        case .shuffled: Int64(place ^ 1)
        }
      lines.append(Line(key: key, message: message))
    }
    return lines.sorted { $0.key < $1.key }
  }
}
