import Skein
import SkeinCards
import SkeinTerminal

extension EventRecord {
  /// The record of an event; nil for events that only people need, and for states that
  /// ``StandingRecord/State`` does not have.
  init?(_ event: ChatEvent) {
    switch event {
    case .connection(let state): self = .connection(ConnectionRecord(state))
    case .sync(let standing): self = .sync(SyncRecord(standing))
    case .conversation(let step): self = .conversation(StepRecord(step), ConversationRecord(step.subject))
    case .message(let step, _):
      switch step.subject {
      case .message(let message): self = .message(StepRecord(step), MessageRecord(message))
      case .gap(let gap): self = .gap(StepRecord(step), GapRecord(gap))
      }
    case .reloaded(let card):
      self = .reloaded(
        ReloadedRecord(
          id: card.id.rawValue, messageID: card.message.messageID.rawValue,
          text: card.terminalLines.map(\.text).joined(separator: "\n")))
    case .offers(let offers): self = .offers(offers.map(OfferRecord.init))
    case .opens(let page):
      self = .opens(
        PageOfAppRecord(id: page.message.rawValue, name: page.name.rawValue, parameters: page.parameters))
    case .opened(let id, let name, let count, let hasMore):
      self = .opened(OpenedRecord(id: id.rawValue, name: name, count: count, hasMore: hasMore))
    case .stored(let message):
      self = .stored(StoredRecord(id: message.id.rawValue, messageID: message.messageID.rawValue))
    case .page(let count, let hasMore, let hasNewer):
      self = .page(PageRecord(count: count, hasMore: hasMore, hasNewer: hasNewer ? true : nil))
    case .saved(let path, let media): self = .saved(SavedRecord(path: path, size: media.size))
    case .standing(let message, let standing, let now):
      guard let record = StandingRecord(message, standing, at: now) else { return nil }
      self = .standing(record)
    case .waiting(let waiting, let now): self = .waiting(waiting.compactMap { StandingRecord($0, at: now) })
    case .found(let found): self = .found(found.map { MessageRecord($0.message, chat: $0.chat) })
    case .flagged(let label, let flagged):
      self = .flagged(label.flag.rawValue, flagged.map(FlaggedRecord.init))
    case .cancelled(let message, let outcome):
      self = .cancelled(
        CancelledRecord(
          id: message.id.rawValue, messageID: message.messageID.rawValue,
          state: CancelledRecord.State(outcome)))
    case .read: self = .read
    case .receipt(let message, let stage, let readers):
      self = .receipt(
        ReceiptRecord(
          id: message.id.rawValue, messageID: message.messageID.rawValue,
          state: ReceiptRecord.State(stage), readers: readers.map(\.rawValue)))
    case .retried(let count): self = .retried(count: count)
    case .fault(let problem):
      self = .problem(
        ProblemRecord(reason: problem.reason, business: problem.business, state: problem.code.rawValue))
    case .problem(let reason): self = .problem(ProblemRecord(reason: reason))
    case .ended(let waiting): self = .ended(count: waiting)
    case .list(let conversations): self = .list(count: conversations.count)
    case .settled, .welcome, .help: return nil
    }
  }
}
