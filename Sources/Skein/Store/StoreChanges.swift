/// What one transaction changed, as lists and the outbox need to know it.
struct StoreChanges: Sendable {
  /// One conversation's part.
  struct Part: Sendable {
    let conversation: ConversationID
    /// Rows that are new or have changed, as they are now.
    var messages: [MessageRow] = []
    var deleted: [LocalMessageID] = []
    /// Those that others have just sent, that count and that nobody has read.
    var arrived: [LocalMessageID] = []
    /// The conversation itself, where it changed; nil where it did not.
    var value: Conversation?
    /// Whether the list of conversations shows it.
    var isListed = true
    /// Its spans, where they changed.
    var spans: SpanMap?
    /// Its first and its last stored message; nil where there is none.
    var stored: ClosedRange<MessageOrder>?
    /// The one that this conversation turned out to be; it is no more then.
    var mergedInto: ConversationID?
    /// A read mark that the server is to be told of.
    var hasPendingReadMark = false
    /// Parts of it beside the messages that have changed.
    var aspects: Set<ConversationAspect> = []
    /// The changed messages and spans are unknown, because another process changed them or all have moved: observers
    /// must reload.
    var needsReload = false
  }
  /// The conversations that changed, in the order in which the transaction came to them.
  var parts: [Part] = []
  /// The database's count of changes once this one was made; rises from change to change.
  var version: Int64 = 0
  /// Operations that were put into the outbox, or that their user wants tried again at once.
  var queued: [OperationRow] = []
  /// Operations that are gone from the outbox, however they ended.
  var ended: [OperationID] = []
  /// The whole outbox, where another process may have changed it.
  var outbox: [OperationRow]?

  /// What changed in the contact list.
  var contacts = ContactChanges()

  /// Whether the list of conversations waits with it until a release comes.
  var isWithheld = false
  /// Whether the list of conversations shows now what it has waited with.
  var isRelease = false

  /// How the sending of messages ended, in the order in which the transaction came to them.
  var sendEnds: [SendEnd] = []

  var isEmpty: Bool {
    parts.isEmpty && queued.isEmpty && ended.isEmpty && outbox == nil && contacts.isEmpty && !isRelease
  }

  /// Nothing but the word that lists may show what they have waited with.
  static let release: StoreChanges = {
    var changes = StoreChanges()
    changes.isRelease = true
    return changes
  }()
}
