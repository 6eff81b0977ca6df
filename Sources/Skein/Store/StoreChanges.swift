/// The changes of one transaction, for lists and the outbox.
struct StoreChanges: Sendable {
  /// One conversation's part.
  struct Part: Sendable {
    let conversation: ConversationID
    /// New and changed rows, with their current values.
    var messages: [MessageRow] = []
    var deleted: [LocalMessageID] = []
    /// The newly received messages of other users that are countable and unread.
    var arrived: [LocalMessageID] = []
    /// The conversation itself, if it or its last message changed; nil otherwise.
    var value: Conversation?
    /// Whether the list of conversations shows the conversation.
    var isListed = true
    /// The spans, if they changed.
    var spans: SpanMap?
    /// The places of the first and the last stored message, without those deleted here; nil if there is none.
    var stored: ClosedRange<MessageOrder>?
    /// The conversation into which this one was merged; the merge removes this one.
    var mergedInto: ConversationID?
    /// Whether a read mark waits to be sent to the server.
    var hasPendingReadMark = false
    /// The displayed parts that changed, other than the messages.
    var aspects: Set<ConversationAspect> = []
    /// Whether observers must reload, because another process made the changes or all messages have moved.
    var needsReload = false
  }
  /// The changed conversations, in the order in which the transaction touched them.
  var parts: [Part] = []
  /// The change counter after this change; rises from change to change. 0 for a release.
  var version: Int64 = 0
  /// Operations that were added to the outbox, or that must be retried at once.
  var queued: [OperationRow] = []
  /// Operations removed from the outbox, for any reason.
  var ended: [OperationID] = []
  /// The whole outbox, if another process may have changed it.
  var outbox: [OperationRow]?

  /// The changes of the contact list.
  var contacts = ContactChanges()

  /// Whether the list of conversations shows the changes only after the next ``release``.
  var isWithheld = false
  /// Whether the list of conversations may show the withheld changes from now on.
  var isRelease = false

  /// The final states of messages, in the order in which the transaction stored them.
  var sendEnds: [SendEnd] = []

  var isEmpty: Bool {
    parts.isEmpty && queued.isEmpty && ended.isEmpty && outbox == nil && contacts.isEmpty && !isRelease
  }

  /// A release without other changes: lists may now show the withheld changes.
  static let release: StoreChanges = {
    var changes = StoreChanges()
    changes.isRelease = true
    return changes
  }()
}
