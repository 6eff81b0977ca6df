/// The changes of one transaction of this process, or all new changes of other processes.
struct StoreChanges: Sendable {
  /// One conversation's part.
  ///
  /// If another process made the changes, the part has only the conversation's values: it contains no
  /// messages, spans or aspects, and `needsReload` is true.
  struct Part: Sendable {
    let conversation: ConversationID
    /// The new and changed messages, with their current values.
    var messages: [MessageRow] = []
    var deleted: [LocalMessageID] = []
    /// The newly received messages of other users that are countable and unread.
    var arrived: [LocalMessageID] = []
    /// Whether this account has received an invitation to the conversation.
    var isInvited = false
    /// The conversation's public value; nil if neither the conversation nor its last message has changed.
    var value: Conversation?
    /// Whether the list of conversations shows the conversation.
    var isListed = true
    /// The spans; nil if the spans have not changed.
    var spans: SpanMap?
    /// The places of the first and the last stored message that was not deleted here. Nil if no message is
    /// left, or if another process made the changes.
    var stored: ClosedRange<MessageOrder>?
    /// The conversation into which this conversation was merged. The merge removes this conversation.
    var mergedInto: ConversationID?
    /// Whether a read mark waits to be sent to the server.
    var hasPendingReadMark = false
    /// The settings that wait to be sent to the server, or that the server does not store.
    var unconfirmedSettings: BackendCapabilities.Settings = []
    /// The displayed parts that changed, other than the messages.
    var aspects: Set<ConversationAspect> = []
    /// Whether observers must reload, because another process made the changes or all messages have moved.
    var needsReload = false

    /// Whether a read mark or a setting waits that the server can store.
    func hasPendingMarks(for server: ServerAbilities) -> Bool {
      hasPendingReadMark && server.readMarks || !unconfirmedSettings.isDisjoint(with: server.settings)
    }
  }
  /// The changed conversations, in the order in which the transaction touched them.
  var parts: [Part] = []
  /// The change counter after the transaction. It rises with every transaction that publishes changes. 0 for
  /// a release.
  var version: Int64 = 0
  /// Operations that were added to the outbox, or that must be retried at once.
  var queued: [OperationRow] = []
  /// Operations removed from the outbox, for any reason.
  var ended: [OperationID] = []
  /// The whole outbox, if another process may have changed the outbox.
  var outbox: [OperationRow]?

  /// The changes of the contact list.
  var contacts = ContactChanges()

  /// Whether the list of conversations shows the changes only after the next ``release``. Alerts for the
  /// changes also wait for the release.
  var isWithheld = false
  /// Whether the list of conversations may show the withheld changes from now on.
  var isRelease = false

  /// The final states of messages, in the order in which the transaction noted the states.
  var sendEnds: [SendEnd] = []

  var isEmpty: Bool {
    parts.isEmpty && queued.isEmpty && ended.isEmpty && outbox == nil && contacts.isEmpty && !isRelease
  }

  /// A release without other changes: the list of conversations may now show the withheld changes.
  static let release: StoreChanges = {
    var changes = StoreChanges()
    changes.isRelease = true
    return changes
  }()
}
