/// A part of a conversation beside its messages that lists show.
enum ConversationAspect: Sendable, Hashable {
  /// How far the others are.
  case receipts
  /// The pinned messages.
  case pins
}

/// One conversation in a unit of work: as it was, as it is, and what changed in it.
struct TouchedConversation {
  var row: ConversationRow
  private let rowAtStart: ConversationRow?
  var spans: SpanMap
  private let spansAtStart: SpanMap
  /// The messages that are new or have changed, as they are now.
  var messages: [LocalMessageID: MessageRow] = [:]
  private(set) var messageOrder: [LocalMessageID] = []
  var deleted: [LocalMessageID] = []
  var mergedInto: ConversationID?
  var hasMoved = false
  var aspects: Set<ConversationAspect> = []
  var arrived: [LocalMessageID] = []

  init(row: ConversationRow, spans: SpanMap, isNew: Bool) {
    self.row = row
    rowAtStart = isNew ? nil : row
    self.spans = spans
    spansAtStart = spans
  }

  var id: ConversationID { row.id }
  var spansChanged: Bool { spans.spans != spansAtStart.spans }
  var rowChanged: Bool { row != rowAtStart }
  var messagesChanged: Bool { !(messages.isEmpty && deleted.isEmpty) }
  /// The messages that changed or were deleted, in the order in which they were touched first.
  var changedMessages: [LocalMessageID] { messageOrder + deleted }

  var hasChanged: Bool {
    rowChanged || hasMoved || !aspects.isEmpty || messagesChanged || spansChanged
  }

  mutating func record(_ row: MessageRow) {
    if row.isHidden {
      messages[row.id] = nil
      deleted.append(row.id)
    } else if messages.updateValue(row, forKey: row.id) == nil {
      messageOrder.append(row.id)
    }
  }

  /// The conversation's part of the published changes.
  func part(stored: ClosedRange<MessageOrder>?, value: Conversation?) -> StoreChanges.Part {
    var part = StoreChanges.Part(conversation: id)
    part.deleted = deleted
    part.mergedInto = mergedInto
    if mergedInto != nil { return part }
    part.messages = messageOrder.compactMap { messages[$0] }
    part.arrived = arrived.filter { id in
      messages[id].map { $0.isCounted && $0.rank > row.readMark } ?? false
    }
    part.value = value
    part.isListed = row.isListed
    part.spans = spansChanged ? spans : nil
    part.stored = stored
    part.hasPendingReadMark = row.pendingReadMark != nil
    part.aspects = aspects
    part.needsReload = hasMoved
    return part
  }
}
