import Skein
import SkeinCards
import SkeinTerminal

extension EventRecord {
  /// The record of an event; nil for what is only for people.
  init?(_ event: ChatEvent) {
    switch event {
    case .connection(let state): self.init(state)
    case .sync(let standing): self.init(standing)
    case .conversation(let step): self.init(step)
    case .message(let step, _): self.init(step)
    case .reloaded(let card):
      self.init(event: "reloaded")
      (id, messageID) = (card.id.rawValue, card.message.messageID.rawValue)
      text = card.terminalLines.map(\.text).joined(separator: "\n")
    case .offers(let offers):
      self.init(event: "offers")
      count = offers.count
      self.offers = offers.map(OfferRecord.init)
    case .opens(let page):
      self.init(event: "opens")
      (id, name, parameters) = (page.message.rawValue, page.name.rawValue, page.parameters)
    case .opened(let id, let name, let count, let hasMore):
      self.init(event: "opened")
      (self.id, self.name, self.count, self.hasMore) = (id.rawValue, name, count, hasMore)
    case .stored(let message):
      self.init(event: "stored")
      (id, messageID) = (message.id.rawValue, message.messageID.rawValue)
    case .page(let count, let hasMore, let hasNewer):
      self.init(event: "page")
      (self.count, self.hasMore, self.hasNewer) = (count, hasMore, hasNewer ? true : nil)
    case .saved(let path, let media):
      self.init(event: "saved")
      (self.path, size) = (path, media.size)
    case .standing(let message, let standing, let now): self.init(message, standing, at: now)
    case .waiting(let waiting, let now):
      self.init(event: "waiting")
      count = waiting.count
      self.waiting = waiting.map { entry in
        var record = EventRecord(entry.message, entry.standing, at: now)
        (record.name, record.text) = (entry.chat, entry.message.content.displayedText)
        return record
      }
    case .found(let found):
      self.init(event: "found")
      count = found.count
      self.found = found.map { entry in
        var record = EventRecord(event: "message")
        record.describe(entry.message)
        record.name = entry.chat
        return record
      }
    case .pinned(let pinned):
      self.init(event: "pinned")
      count = pinned.count
      found = pinned.map { entry in
        var record = EventRecord(event: "message")
        (record.id, record.serverID) = (entry.id?.rawValue, entry.message.serverID?.rawValue)
        (record.sender, record.time) = (entry.sender.rawValue, entry.time.rawValue)
        (record.kind, record.text) = (entry.content.kind.rawValue, entry.content.displayedText)
        return record
      }
    case .cancelled(let message, let outcome):
      self.init(event: "cancelled")
      (id, messageID, state) = (message.id.rawValue, message.messageID.rawValue, outcome.name)
    case .read: self.init(event: "read")
    case .receipt(let message, let stage, let readers):
      self.init(event: "receipt")
      (id, messageID, state) = (message.id.rawValue, message.messageID.rawValue, stage.name)
      self.readers = readers.map(\.rawValue)
    case .retried(let count):
      self.init(event: "retried")
      self.count = count
    case .fault(let problem):
      self.init(event: "problem")
      (business, state, reason) = (problem.business, problem.code.rawValue, problem.reason)
    case .problem(let reason):
      self.init(event: "problem")
      self.reason = reason
    case .ended(let waiting):
      self.init(event: "ended")
      count = waiting
    case .list(let conversations):
      self.init(event: "list")
      count = conversations.count
    case .settled, .welcome, .help: return nil
    }
  }

  private init(_ message: ChatMessage, _ standing: SendStanding, at now: Timestamp) {
    self.init(event: "standing")
    (id, messageID) = (message.id.rawValue, message.messageID.rawValue)
    (state, reason, percent) = (standing.name.rawValue, standing.reason, standing.percent)
    (until, behind) = (standing.nextTry?.rawValue, standing.blocker?.rawValue)
    note = standing.line(at: now)
  }

  private init(_ state: ConnectionState) {
    self.init(event: "connection")
    self.state = state.name
    if case .signedOut(let reason) = state { self.reason = reason }
  }

  private init(_ standing: SyncStanding) {
    self.init(event: "sync")
    switch standing {
    case .caughtUp: state = "caughtUp"
    case .failed(let reason): (state, self.reason) = ("failed", reason)
    }
  }

  private init(_ step: ListStep<Conversation>) {
    self.init(event: "conversation")
    let conversation = take(step)
    id = conversation.id.rawValue
    name = conversation.name
    unread = conversation.unreadCount
    unreadIsAtLeast = conversation.unreadIsAtLeast
    mentions = conversation.unreadMentionCount == 0 ? nil : conversation.unreadMentionCount
    reason = conversation.failure?.message
  }

  private init(_ step: ListStep<MessageListItem>) {
    self.init(event: "message")
    switch take(step) {
    case .message(let message): describe(message)
    case .gap(let gap):
      event = "gap"
      unread = gap.unreadCount
      state = gap.state.name
    }
  }

  private mutating func take<Item>(_ step: ListStep<Item>) -> Item {
    switch step {
    case .inserted(let item, let index, let isMove):
      (change, self.index, moves) = ("inserted", index, isMove ? true : nil)
      return item
    case .removed(let item, let index, let isMove):
      (change, self.index, moves) = ("removed", index, isMove ? true : nil)
      return item
    case .changed(_, let item, let index):
      (change, self.index) = ("changed", index)
      return item
    }
  }

  private mutating func describe(_ message: ChatMessage) {
    id = message.id.rawValue
    messageID = message.messageID.rawValue
    serverID = message.serverID?.rawValue
    sender = message.sender.rawValue
    own = message.isOwn
    time = message.time.rawValue
    kind = message.kind.rawValue
    text = message.content.displayedText
    content = ContentRecord(message.content)
    status = message.status.name
    reason = message.failure?.message
    edited = message.edited?.rawValue
    let counts = message.reactions.map { ($0.key.rawValue, $0.count) }
    reactions = counts.isEmpty ? nil : Dictionary(counts) { $1 }
    pinned = message.isPinned ? true : nil
    pending = message.hasPendingRevision ? true : nil
    quote = message.quote.map(QuoteRecord.init)
    mentions = message.isMention ? 1 : nil
  }
}

extension MessageGap.State {
  /// The state as scripts know it.
  var name: String {
    switch self {
    case .open: "open"
    case .stalled: "stalled"
    case .unavailable: "unavailable"
    }
  }
}

extension Receipts.Stage {
  /// The stage as scripts know it.
  var name: String {
    switch self {
    case .sent: "sent"
    case .delivered: "delivered"
    case .read: "read"
    }
  }
}

extension CancelOutcome {
  /// The outcome as scripts know it.
  var name: String {
    switch self {
    case .cancelled: "cancelled"
    case .tooLate: "tooLate"
    case .unknown: "unknown"
    }
  }
}

extension ConnectionState {
  /// The state as scripts know it.
  var name: String {
    switch self {
    case .stopped: "stopped"
    case .connecting: "connecting"
    case .online: "online"
    case .offline: "offline"
    case .elsewhere: "elsewhere"
    case .signedOut: "signedOut"
    }
  }
}
