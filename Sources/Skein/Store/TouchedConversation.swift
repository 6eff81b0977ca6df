/// A displayed part of a conversation other than its messages.
enum ConversationAspect: Sendable, Hashable {
  /// The receipts of the other members.
  case receipts
  /// The flagged messages.
  case flags
}

/// One conversation in a unit of work: its old row, its new row, and its changes.
struct TouchedConversation {
  var row: ConversationRow
  private let rowAtStart: ConversationRow?
  /// The row as it is stored so far.
  var storedRow: ConversationRow
  private(set) var spans: SpanMap
  let spansAtStart: SpanMap
  private(set) var spansChanged = false
  /// The new and changed messages, with their current values.
  var messages: [LocalMessageID: MessageRow] = [:]
  private(set) var messageOrder: [LocalMessageID] = []
  var deleted: [LocalMessageID] = []
  var mergedInto: ConversationID?
  var hasMoved = false
  var aspects: Set<ConversationAspect> = []
  var arrived: [LocalMessageID] = []
  /// Whether an invitation was received.
  var isInvited = false
  /// Whether another message may have become the last message, or the time of the last message may have
  /// changed.
  private var orderChanged = false
  /// The change of the numbers of stored unread messages since the start, relative to the read mark at the
  /// start.
  private var tally = UnreadTally()

  init(row: ConversationRow, spans: SpanMap, isNew: Bool) {
    self.row = row
    rowAtStart = isNew ? nil : row
    storedRow = row
    self.spans = spans
    spansAtStart = spans
  }

  var id: ConversationID { row.id }
  var rowChanged: Bool { row != rowAtStart }
  var messagesChanged: Bool { !(messages.isEmpty && deleted.isEmpty) }
  /// The changed messages, in the order in which they were first touched, followed by the deleted messages. A
  /// message may occur several times, for example if it was changed and then deleted.
  var changedMessages: [LocalMessageID] { messageOrder + deleted }

  var hasChanged: Bool {
    rowChanged || hasMoved || !aspects.isEmpty || messagesChanged || spansChanged
  }

  mutating func changeSpans(_ body: (inout SpanMap) throws -> Void) rethrows {
    try body(&spans)
    if !spansChanged { spansChanged = spans.spans != spansAtStart.spans }
  }

  /// Whether the preview may differ from the stored one.
  var needsPreview: Bool { orderChanged || hasMoved || rowAtStart == nil }

  /// Whether the unread counts may differ from the stored ones.
  var needsCounts: Bool { unread == nil || spansChanged || tally != UnreadTally() || mentionsInGapsChanged }

  private var mentionsInGapsChanged: Bool { row.mentionsInGaps != rowAtStart?.mentionsInGaps }

  /// The numbers of stored unread messages: the numbers at the start plus the changes since then. Nil if the
  /// messages have to be counted, because the conversation is new, is or was closed or an invitation, or its read mark or
  /// the places of all its messages have changed.
  var unread: UnreadTally? {
    guard let rowAtStart, rowAtStart.countsUnread, row.countsUnread, !hasMoved,
      row.readMark == rowAtStart.readMark
    else { return nil }
    return UnreadTally(
      messages: rowAtStart.unreadCount - spansAtStart.unreadInGaps.count + tally.messages,
      mentions: rowAtStart.unreadMentions - rowAtStart.mentionsInGaps + tally.mentions)
  }

  /// Notes a removed message.
  mutating func recordRemoval(of row: MessageRow) {
    messages[row.id] = nil
    deleted.append(row.id)
    orderChanged = true
    tally -= unread(in: row)
  }

  /// The numbers that a message adds to the numbers of unread messages.
  private func unread(in message: MessageRow?) -> UnreadTally {
    guard let message, message.conversation == id, !message.isHidden,
      message.rank > max(rowAtStart?.readMark ?? .lowest, .beforeHistory)
    else { return UnreadTally() }
    return UnreadTally(messages: message.isCounted ? 1 : 0, mentions: message.isMention ? 1 : 0)
  }

  /// Notes the new values of a message. `known` has the message's old values; nil for a new message.
  mutating func record(_ row: MessageRow, was known: MessageRow?) {
    let staysInPlace =
      known.map {
        $0.conversation == row.conversation && $0.order == row.order && $0.isHidden == row.isHidden
      } ?? false
    if !staysInPlace || known?.time != row.time { orderChanged = true }
    tally += unread(in: row)
    tally -= unread(in: known)
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
    part.isInvited = isInvited
    part.value = value
    part.isListed = row.isListed
    part.spans = spansChanged ? spans : nil
    part.stored = stored
    part.hasPendingReadMark = row.pendingReadMark != nil
    part.unconfirmedSettings = row.unconfirmedSettings
    part.aspects = aspects
    // A list of the flagged messages of all chats leaves out closed chats. Closing or reopening a chat
    // therefore changes this list.
    if let rowAtStart, rowAtStart.isClosed != row.isClosed { part.aspects.insert(.flags) }
    part.needsReload = hasMoved
    return part
  }
}
