/// What one client shows, put together from its JSON lines and nothing else.
struct DemoScreen: Sendable {
  private(set) var connection = ""
  /// The open chat, oldest entry first; gaps among them.
  private(set) var list: [EventRecord] = []
  /// Message ids that were reported to be on disk, in their order.
  private(set) var stored: [String] = []
  private(set) var unread: [String: EventRecord] = [:]
  private(set) var opened: EventRecord?
  /// How often a chat was opened, or shown anew from elsewhere.
  private(set) var openings = 0
  private(set) var pages: [EventRecord] = []
  private(set) var saved: [String] = []
  private(set) var reads = 0
  /// Who has read messages of one's own, by message id, as it was reported last.
  private(set) var readers: [String: [String]] = [:]
  /// How messages of one's own stood on their way when that was last reported, by message id.
  private(set) var standings: [String: EventRecord] = [:]
  /// The moments that were announced for a next try.
  private(set) var nextTries: Set<Int64> = []
  /// What was found, each time somebody searched.
  private(set) var searches: [[EventRecord]] = []
  /// What waited, each time somebody asked.
  private(set) var waitingLists: [[EventRecord]] = []
  /// How many messages waited when the client ended; nil while it runs.
  private(set) var waitingAtEnd: Int?
  private(set) var problems: [String] = []

  /// The messages of the open chat.
  var messages: [EventRecord] { list.filter { $0.event == "message" } }
  /// How many messages of the open chat are there more than once.
  var twice: Int { messages.count - Set(messages.map(\.messageID)).count }
  /// Whether a mark stands between two messages that are no neighbours on the server.
  var hasGap: Bool { list.contains { $0.event == "gap" } }
  /// One's own messages that the server has not acknowledged.
  var waiting: Int { list.count { $0.own == true && $0.status != "sent" } }

  /// A message of the open chat; nil for one that is not in the list.
  func message(_ id: String) -> EventRecord? { messages.last { $0.messageID == id } }

  /// How far a message of the open chat has come; nil for one that is not in the list.
  func status(of id: String) -> String? { message(id)?.status }

  /// Whether each of these chats has so many unread, and it is known to be no more.
  ///
  /// - Returns: nil, or the first that has not.
  func difference(toUnread counts: [String: Int]) -> String? {
    for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
      guard let chat = unread[name] else { return "\(name) is not in the list" }
      guard chat.unread == count, chat.unreadIsAtLeast != true else {
        let words = chat.unreadIsAtLeast == true ? "or more " : ""
        return "\(name) has \(chat.unread ?? 0) \(words)unread, not \(count)"
      }
    }
    return nil
  }

  mutating func take(_ record: EventRecord) {
    switch record.event {
    case "connection": connection = record.state ?? ""
    case "conversation": if let name = record.name { unread[name] = record }
    case "opened": (opened, openings, list) = (record, openings + 1, [])
    case "message", "gap": step(record)
    case "stored": stored.append(record.messageID ?? "")
    case "standing":
      standings[record.messageID ?? ""] = record
      if let until = record.until { nextTries.insert(until) }
    case "waiting": waitingLists.append(record.waiting ?? [])
    case "page": pages.append(record)
    case "found": searches.append(record.found ?? [])
    case "saved": saved.append(record.path ?? "")
    case "read": reads += 1
    case "receipt": readers[record.messageID ?? ""] = record.readers
    case "ended": waitingAtEnd = record.count
    case "problem": problems.append(record.reason ?? "")
    default: break
    }
  }

  /// The steps are trusted and checked: one that does not fit the list is a problem that fails the demo.
  private mutating func step(_ record: EventRecord) {
    let index = record.index ?? -1
    switch record.change {
    case "inserted" where (0...list.count).contains(index): list.insert(record, at: index)
    case "removed" where list.indices.contains(index) && list[index].id == record.id: list.remove(at: index)
    case "changed" where list.indices.contains(index) && list[index].id == record.id: list[index] = record
    default: problems.append("a step of the list does not fit it: \(record.change ?? "none") at \(index)")
    }
  }
}
