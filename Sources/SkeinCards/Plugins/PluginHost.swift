import Dispatch
import Skein
import Synchronization

/// One business at work in one chat. It makes its cards on a queue of its own, so that it holds up nobody where it hangs: a card
/// that comes too late is kept until it is asked for again, and until it is in time again none of this business is waited for.
final class PluginHost: Sendable {
  /// What a card is made of, or why that can't be said.
  typealias Made = Result<[any CardComponent], any Error>
  typealias Make = @Sendable () throws -> [any CardComponent]

  let name: String
  private let owner: (type: any MessageCardPlugin.Type, context: MessageCardContext)?
  private let queue: DispatchQueue
  private let state = Mutex(State())

  private struct State {
    var plugin: (any MessageCardPlugin)?
    var following: Task<Void, Never>?
    /// Whether it was too late, and not in time since.
    var isLate = false
    /// What is being made while nobody waits.
    var pending: [LocalMessageID: PendingCard] = [:]
    /// What was made when nobody waited any more.
    var late: [LocalMessageID: (version: Int64, made: Made)] = [:]
  }
  /// A card that is to be made.
  private struct PendingCard {
    let version: Int64
    let make: Make
    /// Whether something has changed since it was begun.
    var isStale = false
  }
  /// Where who waits finds what was made.
  private final class Slot: Sendable {
    let made = Mutex<Made?>(nil)
    let bell = DispatchSemaphore(value: 0)
  }

  /// - Parameter owner: its plugin's type, and what that can do in the chat; nil where it has none.
  init(_ name: String, owner: (type: any MessageCardPlugin.Type, context: MessageCardContext)?) {
    self.name = name
    self.owner = owner
    queue = DispatchQueue(label: "skein.cards.\(name)", qos: .userInteractive)
  }

  deinit { state.withLock { $0.following }?.cancel() }

  // MARK: Its plugin

  /// Its plugin, begun when it is first needed. To be called on its queue alone.
  func plugin() -> (any MessageCardPlugin)? {
    if let plugin = state.withLock({ $0.plugin }) { return plugin }
    guard let owner else { return nil }
    let plugin = owner.type.init(owner.context)
    let following = (plugin as? any MessageFollowingPlugin).map { plugin in
      // The first card shows what is there already.
      plugin.follow(owner.context.messages)
      return Task { [weak self] in
        for await messages in owner.context.messageUpdates { await self?.deliver(messages, to: plugin) }
      }
    }
    state.withLock { ($0.plugin, $0.following) = (plugin, following) }
    return plugin
  }

  private func deliver(_ messages: [ChatMessage], to plugin: any MessageFollowingPlugin) async {
    await withCheckedContinuation { continuation in
      queue.async {
        plugin.follow(messages)
        continuation.resume()
      }
    }
  }

  /// A person has done something with one of its cards.
  func renewAllowance() { owner?.context.sends.renew() }

  /// Its plugin, for whoever is elsewhere.
  func startedPlugin() async -> (any MessageCardPlugin)? {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: self.plugin()) }
    }
  }

  // MARK: Cards

  /// What it makes of a message.
  ///
  /// - Parameter finished: told when a card is there that was not waited for.
  /// - Throws: ``Hang`` where it has not answered in time; what it throws itself.
  func components(
    of message: ChatMessage, within timeout: Duration, _ make: @escaping Make,
    finished: @escaping @Sendable (LocalMessageID) -> Void
  ) throws -> [any CardComponent] {
    let (id, version) = (message.id, message.version)
    let (late, isLate) = state.withLock { state in
      (state.late.removeValue(forKey: id), state.isLate)
    }
    if let late, late.version == version { return try late.made.get() }
    if isLate {
      makeUnawaited(PendingCard(version: version, make: make), id, timeout, finished)
      throw Hang(isNew: false)
    }
    let slot = Slot()
    queue.async { [self] in
      let made = Made(catching: make)
      // One lock for what is handed over and for who has given up on it.
      let isAwaited = state.withLock { state in
        if state.pending[id] == nil { slot.made.withLock { $0 = made } }
        return state.pending[id] == nil
      }
      slot.bell.signal()
      if !isAwaited { finish(id, made, finished) }
    }
    _ = slot.bell.wait(timeout: .now() + timeout / .seconds(1))
    let made = state.withLock { state in
      let made = slot.made.withLock { $0 }
      if made == nil {
        state.isLate = true
        state.pending[id] = PendingCard(version: version, make: make)
      }
      return made
    }
    guard let made else { throw Hang(isNew: true) }
    return try made.get()
  }

  /// Something has changed of what these cards show: what is being made of it is made once more.
  func invalidate(_ messages: [LocalMessageID]) {
    state.withLock { state in
      for id in messages {
        state.late[id] = nil
        state.pending[id]?.isStale = true
      }
    }
  }

  /// Has a card made that nobody waits for, unless it is being made already.
  private func makeUnawaited(
    _ card: PendingCard, _ id: LocalMessageID, _ timeout: Duration,
    _ finished: @escaping @Sendable (LocalMessageID) -> Void
  ) {
    let isNew = state.withLock { state in
      guard let known = state.pending[id] else {
        state.pending[id] = card
        return true
      }
      if known.version != card.version {
        state.pending[id] = card
        state.pending[id]?.isStale = true
      }
      return false
    }
    guard isNew else { return }
    queue.async { [self] in
      let start = ContinuousClock.now
      let made = Made(catching: card.make)
      if .now - start < timeout { state.withLock { $0.isLate = false } }
      finish(id, made, finished)
    }
  }

  /// Keeps what was made, or makes it once more where it is not true any longer.
  private func finish(
    _ id: LocalMessageID, _ made: Made, _ finished: @escaping @Sendable (LocalMessageID) -> Void
  ) {
    let again = state.withLock { state -> Make? in
      guard let card = state.pending[id] else { return nil }
      if card.isStale {
        state.pending[id]?.isStale = false
        return card.make
      }
      state.pending[id] = nil
      state.late[id] = (card.version, made)
      return nil
    }
    if let again {
      queue.async { [self] in finish(id, Made(catching: again), finished) }
    } else {
      finished(id)
    }
  }

  /// It has not said in time what a card is made of.
  struct Hang: Error {
    /// Whether it was only now that somebody waited for it.
    let isNew: Bool
  }
}
