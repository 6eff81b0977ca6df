import Synchronization

/// Publishes alerts for received messages and invitations, after they were committed.
final class Alerts: Sendable {
  private struct State {
    var gate: AlertGate
    /// The changes with received messages or invitations that are withheld while the client starts.
    var withheld: [StoreChanges.Part] = []
    var listeners: [(id: Int, continuation: AsyncStream<Alert>.Continuation)] = []
    var nextID = 0
    var isClosed = false
  }
  private let store: ChatStore
  private let phase: AppPhase
  private let options: AlertOptions
  private let state: Mutex<State>
  private let subscription = Mutex<ChangeFeed.Subscription?>(nil)

  init(store: ChatStore, phase: AppPhase, options: AlertOptions) {
    self.store = store
    self.phase = phase
    self.options = options
    state = Mutex(State(gate: AlertGate(burst: options.burst)))
    let subscribed = store.feed.subscribe { [weak self] changes in self?.take(changes) }
    subscription.withLock { $0 = subscribed }
  }

  deinit { close() }

  /// Ends every loop over ``updates``, also those that begin later.
  func close() {
    if let subscribed = subscription.withLock({ $0 }) { store.feed.unsubscribe(subscribed) }
    let listeners = state.withLock { state in
      state.isClosed = true
      defer { state.listeners = [] }
      return state.listeners.map(\.continuation)
    }
    for listener in listeners { listener.finish() }
  }

  var active: ConversationID? {
    get { state.withLock { $0.gate.active } }
    set { state.withLock { $0.gate.active = newValue } }
  }

  /// The alerts from now on. A listener that is more than 16 alerts behind misses the oldest alerts.
  var updates: AsyncStream<Alert> {
    AsyncStream(bufferingPolicy: .bufferingNewest(16)) { continuation in
      let id = state.withLock { state in
        state.nextID += 1
        state.listeners.append((state.nextID, continuation))
        if state.isClosed { continuation.finish() }
        return state.nextID
      }
      continuation.onTermination = { [weak self] _ in
        self?.state.withLock { state in state.listeners.removeAll { $0.id == id } }
      }
    }
  }

  private func take(_ changes: StoreChanges) {
    let isInBackground = phase.isInBackground
    let parts = state.withLock { state -> [StoreChanges.Part] in
      // A withheld invitation may end before the release, or be answered.
      for part in changes.parts where !part.isInvited && !state.withheld.isEmpty {
        guard let value = part.value else { continue }
        if part.isListed, value.invitation?.isAccepted == false { continue }
        for index in state.withheld.indices where state.withheld[index].conversation == part.conversation {
          state.withheld[index].isInvited = false
        }
        state.withheld.removeAll { $0.arrived.isEmpty && !$0.isInvited }
      }
      let news = changes.parts.filter { !$0.arrived.isEmpty || $0.isInvited }
      if changes.isWithheld {
        state.withheld += news
        return []
      }
      guard changes.isRelease else { return news }
      defer { state.withheld = [] }
      // After a start in the foreground there is no alert, since the list shows the new messages.
      return isInBackground ? state.withheld : []
    }
    if !parts.isEmpty { tell(parts, isInBackground) }
  }

  private func tell(_ news: [StoreChanges.Part], _ isInBackground: Bool) {
    var parts: [(value: Conversation, arrived: [MessageRow], isInvited: Bool)] = []
    var places: [ConversationID: Int] = [:]
    for part in news {
      guard let value = part.value, part.isListed else { continue }
      let ids = Set(part.arrived)
      let arrived = part.messages.filter { ids.contains($0.id) }
      // Withheld changes may contain several parts of one conversation.
      if let known = places[value.id] {
        parts[known].value = value
        parts[known].arrived += arrived
        parts[known].isInvited = parts[known].isInvited || part.isInvited
      } else {
        places[value.id] = parts.count
        parts.append((value, arrived, part.isInvited))
      }
    }
    let isQuiet = options.isQuiet(store.clock.now)
    let (decision, listeners) = state.withLock { state in
      let decision = state.gate.came(
        parts.map { value, arrived, _ in
          AlertGate.Candidate(
            conversation: value.id, isMuted: value.isMuted, isMention: arrived.contains(where: \.isMention))
        }, isInBackground: isInBackground, isQuiet: isQuiet, at: store.runtime.uptime())
      return (decision, state.listeners.map(\.continuation))
    }
    // The writer waits for this call, so contents are decoded only for a listener.
    guard let decision, !listeners.isEmpty else { return }
    let alert = Alert(
      parts: parts.filter { decision.conversations.contains($0.value.id) }.map { value, arrived, isInvited in
        Alert.Part(
          conversation: value.id, name: value.name,
          messages: arrived.map { $0.message(for: store.account, kinds: store.kinds) },
          isMention: arrived.contains(where: \.isMention), invitation: isInvited ? value.invitation : nil)
      }, makesSound: decision.sounds, vibrates: decision.sounds)
    for listener in listeners { listener.yield(alert) }
  }
}
