import Dispatch
import Skein
import Synchronization

/// Runs one plugin of one chat, or the closure of one kind without a plugin, on a queue of its own. A plugin
/// that hangs blocks no other plugin.
///
/// After a timeout, calls that need a new card of this plugin fail at once. Callers wait again after a card
/// was made within the time limit. A card that is made too late is kept for the next request.
final class PluginHost: Sendable {
  /// The components of a card, or the reason why they can't be created.
  typealias Made = Result<[any CardComponent], any Error>
  typealias Make = @Sendable () throws -> [any CardComponent]

  let name: String
  private let owner: (type: any MessageCardPlugin.Type, context: MessageCardContext)?
  private let queue: DispatchQueue
  private let state = Mutex(State())

  private struct State {
    var plugin: (any MessageCardPlugin)?
    var following: Task<Void, Never>?
    /// Whether a card was late, and no card has been made in time since.
    var isLate = false
    /// Cards that are being made without a waiting caller.
    var pending: [LocalMessageID: PendingCard] = [:]
    /// Finished cards for which no caller was waiting.
    var late: [LocalMessageID: (version: Int64, made: Made)] = [:]
  }
  /// A card still to be made.
  private struct PendingCard {
    let version: Int64
    let make: Make
    /// Whether the card must be made again, since it was invalidated or another version was requested in the
    /// meantime.
    var isStale = false
  }
  /// Passes a finished card to the waiting thread.
  private final class Slot: Sendable {
    let made = Mutex<Made?>(nil)
    let bell = DispatchSemaphore(value: 0)
  }

  /// - Parameter owner: the plugin's type and context; nil for a kind without a plugin.
  init(_ name: String, owner: (type: any MessageCardPlugin.Type, context: MessageCardContext)?) {
    self.name = name
    self.owner = owner
    queue = DispatchQueue(label: "skein.cards.\(name)", qos: .userInteractive)
  }

  deinit { state.withLock { $0.following }?.cancel() }

  // MARK: Plugin

  /// Returns the plugin; nil for a kind without a plugin. The first call makes the plugin. Must be called on
  /// the queue.
  func plugin() -> (any MessageCardPlugin)? {
    if let plugin = state.withLock({ $0.plugin }) { return plugin }
    guard let owner else { return nil }
    let plugin = owner.type.init(owner.context)
    let following = (plugin as? any MessageFollowingPlugin).map { plugin in
      // The first card must reflect the messages that are already in the window.
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

  /// Restores the plugin's send allowance after an action of the user.
  func renewAllowance() { owner?.context.sends.renew() }

  /// Returns the plugin; nil for a kind without a plugin. Callable from any thread.
  func startedPlugin() async -> (any MessageCardPlugin)? {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: self.plugin()) }
    }
  }

  // MARK: Cards

  /// Returns the components of a message's card, and blocks the caller for `timeout` at most.
  ///
  /// - Parameter finished: called when a card is ready and no caller waits for it.
  /// - Throws: any error of the plugin; ``Hang`` if the components were not made in time. After a ``Hang``,
  ///   each call for a card that is not ready throws ``Hang`` at once, until a card is made in time.
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
      // One lock decides whether the card was in time or the caller had stopped waiting.
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

  /// Discards the late cards of some messages. A card of these messages that is still being made without a
  /// waiting caller is marked as stale, so that it is made again.
  func invalidate(_ messages: [LocalMessageID]) {
    state.withLock { state in
      for id in messages {
        state.late[id] = nil
        state.pending[id]?.isStale = true
      }
    }
  }

  /// Makes a card, and does not wait for the card. If the card is being made already, it is made again only
  /// for another version.
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

  /// Keeps a late card, or makes the card again if it is stale.
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

  /// The plugin did not make a card in time.
  struct Hang: Error {
    /// Whether this call waited; false if the plugin was already known to be late.
    let isNew: Bool
  }
}
