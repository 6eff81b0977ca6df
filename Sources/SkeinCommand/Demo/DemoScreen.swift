/// The state of one client, built from its JSON lines alone.
struct DemoScreen: Sendable {
  /// An entry of the open chat's list.
  enum Entry: Sendable, Equatable {
    case message(MessageRecord)
    case gap

    var message: MessageRecord? { if case .message(let message) = self { message } else { nil } }
    var id: Int64? { message?.id }
  }

  /// The last reported state of the connection; nil before the first report.
  private(set) var connection: ConnectionRecord.State?
  /// The list of the open chat, oldest entry first.
  private(set) var list: [Entry] = []
  /// The ids of the messages that were reported to be on disk, in order.
  private(set) var stored: [String] = []
  /// The last reported record of each conversation, by name. A removed conversation keeps its record.
  private(set) var unread: [String: ConversationRecord] = [:]
  private(set) var opened: OpenedRecord?
  /// The number of times that a chat was opened or its list jumped to another moment.
  private(set) var openings = 0
  private(set) var pages: [PageRecord] = []
  private(set) var saved: [String] = []
  private(set) var reads = 0
  /// The last reported readers of own messages, by message id.
  private(set) var readers: [String: [String]] = [:]
  /// The last reported states of unsent messages, by message id.
  private(set) var standings: [String: StandingRecord] = [:]
  /// The announced times of next attempts.
  private(set) var nextTries: Set<Int64> = []
  /// The results of each search.
  private(set) var searches: [[MessageRecord]] = []
  /// The unsent messages in each list of `/waiting`.
  private(set) var waitingLists: [[StandingRecord]] = []
  /// The number of unsent messages when the client ended; nil until the client reports its end.
  private(set) var waitingAtEnd: Int?
  private(set) var problems: [String] = []

  /// The messages of the open chat.
  var messages: [MessageRecord] { list.compactMap(\.message) }
  /// The number of duplicate messages in the open chat.
  var twice: Int { messages.count - Set(messages.map(\.messageID)).count }
  /// Whether the list of the open chat has a gap.
  var hasGap: Bool { list.contains(.gap) }
  /// The number of own messages in the open chat that the server has not acknowledged.
  var waiting: Int { messages.count { $0.own && $0.status != .sent } }

  /// A message of the open chat; nil if it is not in the list.
  func message(_ id: String) -> MessageRecord? { messages.last { $0.messageID == id } }

  /// The status of a message of the open chat; nil if it is not in the list.
  func status(of id: String) -> MessageRecord.Status? { message(id)?.status }

  /// Compares the unread counts of chats with the expected counts. A count that is only a lower bound counts
  /// as a difference.
  ///
  /// - Returns: The first difference, or nil.
  func difference(toUnread counts: [String: Int]) -> String? {
    for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
      guard let chat = unread[name] else { return "\(name) is not in the list" }
      guard chat.unread == count, !chat.unreadIsAtLeast else {
        let words = chat.unreadIsAtLeast ? "or more " : ""
        return "\(name) has \(chat.unread) \(words)unread, not \(count)"
      }
    }
    return nil
  }

  mutating func apply(_ record: EventRecord) {
    switch record {
    case .connection(let connection): self.connection = connection.state
    case .conversation(_, let conversation): unread[conversation.name] = conversation
    case .opened(let chat): (opened, openings, list) = (chat, openings + 1, [])
    case .message(let step, let message): apply(step, .message(message))
    case .gap(let step, _): apply(step, .gap)
    case .stored(let message): stored.append(message.messageID)
    case .standing(let standing):
      standings[standing.messageID] = standing
      if let until = standing.until { nextTries.insert(until) }
    case .waiting(let list): waitingLists.append(list)
    case .page(let page): pages.append(page)
    case .found(let messages): searches.append(messages)
    case .saved(let file): saved.append(file.path)
    case .read: reads += 1
    case .receipt(let receipt): readers[receipt.messageID] = receipt.readers
    case .ended(let count): waitingAtEnd = count
    case .problem(let problem): problems.append(problem.reason)
    case .sync, .list, .reloaded, .offers, .opens, .flagged, .cancelled, .retried: break
    }
  }

  /// Applies a step of the list. A step that does not fit the list is a problem, which fails the demo.
  private mutating func apply(_ step: StepRecord, _ entry: Entry) {
    let isThere = list.indices.contains(step.index) && list[step.index].id == entry.id
    switch step.change {
    case .inserted where (0...list.count).contains(step.index): list.insert(entry, at: step.index)
    case .removed where isThere: list.remove(at: step.index)
    case .changed where isThere: list[step.index] = entry
    default: problems.append("a step of the list does not fit it: \(step.change) at \(step.index)")
    }
  }
}
