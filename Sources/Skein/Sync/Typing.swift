import SkeinStorage

/// Tracks which users are typing, as reported by the push channel, and reports that this account is typing.
/// Received reports are kept in memory only, and expire after a while.
actor Typing {
  private let store: ChatStore
  private let backend: any ChatBackend
  private let runtime: Runtime
  private let inbox = ChangeInbox()
  private var gate = TypingGate()
  private var isRunning = false
  /// The typing users of each chat.
  nonisolated let typists = StatePublishers<ConversationID, [UserID]>([])

  init(store: ChatStore, backend: any ChatBackend) {
    self.store = store
    self.backend = backend
    runtime = store.runtime
  }

  /// Works until its task is cancelled. After that, nobody counts as typing. Returns at once if the backend
  /// does not report typing.
  func run() async {
    guard backend.capabilities.typing != nil else { return }
    let subscription = store.feed.subscribe { [inbox] changes in
      let hasNews = changes.parts.contains { !$0.arrived.isEmpty }
      if hasNews || !changes.queued.isEmpty { inbox.add(changes) }
    }
    defer { store.feed.unsubscribe(subscription) }
    isRunning = true
    while !Task.isCancelled {
      for changes in inbox.takeAll() {
        for operation in changes.queued where operation.message != nil {
          gate.sent(in: operation.conversation)
        }
        // The sender of a received message has stopped typing.
        for part in changes.parts {
          for message in part.messages where part.arrived.contains(message.id) {
            gate.receivedTyping(
              of: message.sender, in: part.conversation, isTyping: false, at: runtime.uptime())
            publish(part.conversation)
          }
        }
      }
      for conversation in gate.passed(at: runtime.uptime()) { publish(conversation) }
      await inbox.doorbell.wait(until: gate.next, runtime)
    }
    (isRunning, gate) = (false, TypingGate())
    typists.reset()
  }

  /// Handles a report of the push channel: a user is typing, or has stopped typing. Reports about this
  /// account, and about conversations that are not listed, are ignored. All reports are ignored while
  /// ``run()`` is not running.
  func receivedTyping(of user: UserID, in ref: ConversationRef, isTyping: Bool) async {
    guard user != store.account,
      let row = try? await store.read({ try $0.conversation(named: ref) }), row.isListed, isRunning
    else { return }
    gate.receivedTyping(of: user, in: row.id, isTyping: isTyping, at: runtime.uptime())
    publish(row.id)
    inbox.doorbell.ring()
  }

  /// Reports to the other members that this account is typing, unless a report was made recently. Failures
  /// are ignored. Does nothing if ``run()`` is not running, or if the account is no member of the
  /// conversation.
  func typed(in conversation: ConversationID) async {
    guard isRunning, gate.typed(in: conversation, at: runtime.uptime()),
      let ref = try? await store.read({ try $0.find(ConversationRow.self, conversation)?.joinedRef })
    else { return }
    try? await backend.capabilities.typing?.noteTyping(in: ref)
  }

  private func publish(_ conversation: ConversationID) {
    typists.publish(gate.typing(in: conversation, at: runtime.uptime()), for: conversation)
  }
}
