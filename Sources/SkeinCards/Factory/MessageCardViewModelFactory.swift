public import Skein
import Synchronization

/// Makes and caches the cards of one chat's messages.
///
/// 1. A card is made on demand and cached. The card is made again after its message or its look has changed, or its
///    plugin has reloaded it.
/// 2. A failing plugin affects its own cards only: they show their text, and ``problems`` has the reason.
///
/// ```swift
/// let cards = MessageCardViewModelFactory(for: chat, registry: registry, delegate: list)
/// for await update in chat.changes { list.apply(update) }           // cell: draw(cards.card(for: message))
/// for await reloaded in cards.reloads { list.redraw(reloaded) }
/// ```
public final class MessageCardViewModelFactory: CardList, Sendable {
  private let chat: ChatContext
  private let registry: CardRegistry
  private weak let delegate: (any MessageCardDelegate)?
  private let timeouts: Timeouts
  private let state = Mutex(State())
  private let hosts = Mutex<[HostKey: PluginHost]>([:])
  private let reloading = ReloadPublisher()
  private let reporting = ProblemPublisher()

  private struct State {
    var entries: [LocalMessageID: Entry] = [:]
    /// Above this count, entries of messages outside the chat's window are removed.
    var most = 5000
  }
  /// The cached card of one message.
  private struct Entry {
    var kind: MessageKind
    var revision = 0
    var card: MessageCardViewModel?
  }

  /// Time limits for plugins. A plugin that exceeds a limit is reported in ``problems`` but never stopped.
  public struct Timeouts: Sendable {
    /// The limit for making a card's components, during which the calling thread is blocked. After a plugin
    /// has exceeded the limit, its new cards are made in the background. Threads wait again after one of
    /// these cards was made in time.
    public var components: Duration
    /// The limit for an action, which blocks no thread.
    public var action: Duration

    /// Makes limits; the defaults are 0.5 s and 30 s.
    public init(components: Duration = .milliseconds(500), action: Duration = .seconds(30)) {
      (self.components, self.action) = (components, action)
    }
  }

  /// Makes the factory of a chat's cards.
  ///
  /// - Parameter delegate: held weakly; without a delegate, cards have the surface's own look.
  public init(
    for chat: ChatContext, registry: CardRegistry, delegate: (any MessageCardDelegate)? = nil,
    timeouts: Timeouts = Timeouts()
  ) {
    self.chat = chat
    self.registry = registry
    self.delegate = delegate
    self.timeouts = timeouts
  }

  deinit {
    reloading.close()
    reporting.close()
  }

  // MARK: Cards

  /// Returns the card of the given version of a message; callable from any isolation.
  public func card(for message: ChatMessage) -> MessageCardViewModel {
    let known = entry(of: message)
    let theme = delegate?.theme ?? CardTheme()
    let style = delegate?.style(of: message) ?? CardStyle()
    if let card = known.card, card.message.version == message.version, card.revision == known.revision,
      card.theme == theme, card.style == style
    {
      return card
    }
    let (components, problem) = components(of: message)
    let card = MessageCardViewModel(
      message: message, revision: known.revision, components: components, theme: theme, style: style,
      problem: problem)
    state.withLock { $0.entries[message.id]?.card = card }
    return card
  }

  /// Returns the message's cache entry. The entry is created before the card is made, so that a reload during
  /// the making is not lost.
  private func entry(of message: ChatMessage) -> Entry {
    state.withLock { state in
      if state.entries[message.id] == nil, state.entries.count >= state.most {
        let shown = Set(chat.messages.compactMap { $0.message?.id })
        state.entries = state.entries.filter { shown.contains($0.key) }
        // The window may hold more than the limit; don't search it again for each card.
        state.most = max(state.most, 2 * state.entries.count)
      }
      state.entries[message.id, default: Entry(kind: message.kind)].kind = message.kind
      return state.entries[message.id] ?? Entry(kind: message.kind)
    }
  }

  /// Returns the quote and the components of a message. A plain text replaces the components in three cases:
  /// the kind is not registered, making the components fails or takes too long, or there are no components.
  private func components(of message: ChatMessage) -> ([any CardComponent], CardProblem?) {
    let quote: [any CardComponent] = message.quote.map { [QuoteComponent($0)] } ?? []
    let text = quote + [CardText(message.content.displayedText)]
    guard let entry = registry[message.kind] else { return (text, nil) }
    let host = host(of: entry, message.kind)
    do {
      let make: PluginHost.Make =
        switch entry {
        case .plugin: { try host.plugin()?.components(of: message) ?? [] }
        case .components(let make): { try make(message) }
        }
      let components = try host.components(of: message, within: timeouts.components, make) {
        [weak self] in self?.redraw([$0])
      }
      return (components.isEmpty ? text : quote + components, nil)
    } catch {
      let problem = problem(of: host, at: message, error)
      if (error as? PluginHost.Hang)?.isNew != false { report(problem) }
      return (text, problem)
    }
  }

  private func problem(of host: PluginHost, at message: ChatMessage, _ error: any Error) -> CardProblem {
    let isHanging = error is PluginHost.Hang
    return CardProblem(
      code: isHanging ? .componentsHang : .noComponents, business: host.name, message: message.id,
      reason: isHanging ? "The card was not made within \(timeouts.components)." : "\(error)")
  }

  // MARK: Plugins

  private func host(of entry: CardRegistry.Entry, _ kind: MessageKind) -> PluginHost {
    let key = entry.host(of: kind)
    return hosts.withLock { hosts in
      if let known = hosts[key] { return known }
      let new = makeHost(key.name, entry)
      hosts[key] = new
      return new
    }
  }

  private func makeHost(_ name: String, _ entry: CardRegistry.Entry) -> PluginHost {
    guard case .plugin(let type) = entry else { return PluginHost(name, owner: nil) }
    let context = MessageCardContext(
      conversation: chat.conversation, kinds: Set(type.kinds), chat: chat, list: { [weak self] in self },
      sends: SendAllowance(), business: name)
    return PluginHost(name, owner: (type, context))
  }

  /// Performs an action of a card. If the action has a page, the ``MessageCardDelegate`` opens it. Otherwise,
  /// the plugin performs the action in a new task, and shows the result by reloading the card.
  ///
  /// - Parameters:
  ///   - action: an enabled action of the component. Any other action is ignored and reported in
  ///     ``problems``. An action without a page is also ignored and reported if the message's kind has no
  ///     plugin.
  ///   - value: the action's value. If the action has no value, the text that the user typed.
  /// - Returns: the task; nil if the action was ignored.
  @discardableResult
  public func perform(
    _ action: CardAction.Name, of component: ComponentID, on card: MessageCardViewModel,
    value: String? = nil
  ) -> Task<Void, Never>? {
    let kind = card.message.kind
    let offered = card.actions(of: component).first { offered in
      offered.name == action && offered.isEnabled && offered.value ?? value == value
    }
    if let offered, let page = offered.page {
      open(CardPage(page, about: card.id, parameters: offered.parameters))
      return Task {}
    }
    guard offered != nil, let entry = registry[kind], case .plugin = entry else {
      report(
        CardProblem(
          code: .actionUnknown, business: registry[kind]?.host(of: kind).name ?? kind.rawValue,
          message: card.id,
          reason: "\(component.rawValue) has no enabled action \(action.rawValue) with this value, "
            + "or no plugin performs the action."))
      return nil
    }
    let host = host(of: entry, kind)
    host.renewAllowance()
    return Task { [weak self, timeouts] in
      let watch = Task { [weak self] in
        guard (try? await Task.sleep(for: timeouts.action)) != nil else { return }
        self?.report(
          CardProblem(
            code: .actionHangs, business: host.name, message: card.id,
            reason: "\(action.rawValue) has not ended within \(timeouts.action)."))
      }
      defer { watch.cancel() }
      do {
        try await host.startedPlugin()?.perform(action, value, on: card.message)
      } catch {
        self?.report(
          CardProblem(
            code: .actionFailed, business: host.name, message: card.id, reason: "\(error)"))
      }
    }
  }

  // MARK: Reloading

  /// The messages whose cards must be redrawn: a plugin has reloaded the cards, or components that were made
  /// in the background are ready.
  ///
  /// Each access makes a stream of its own. A slow consumer receives several reloads merged into one set.
  public var reloads: AsyncStream<Set<LocalMessageID>> { reloading.updates }

  /// Invalidates cards of one plugin, so that the cards are made again on demand. Ignores messages of other
  /// plugins, and messages without a cache entry.
  func reload(_ messages: [LocalMessageID], for business: String) {
    let own = state.withLock { state in
      messages.filter { id in
        guard let kind = state.entries[id]?.kind else { return false }
        return registry[kind]?.host(of: kind) == .plugin(business)
      }
    }
    hosts.withLock { $0[.plugin(business)] }?.invalidate(own)
    redraw(own)
  }

  private func redraw(_ messages: [LocalMessageID]) {
    guard !messages.isEmpty else { return }
    state.withLock { state in
      for id in messages { state.entries[id]?.revision += 1 }
    }
    reloading.publish(Set(messages))
  }

  func open(_ page: CardPage) { delegate?.open(page) }

  // MARK: Problems

  /// The latest 100 failures of plugins, oldest first.
  public var problems: [CardProblem] { reporting.all }

  /// Failures of plugins from now on; each access makes a stream of its own.
  public var problemUpdates: AsyncStream<CardProblem> { reporting.updates }

  func report(_ problem: CardProblem) { reporting.publish(problem) }
}

/// Identifies the host of a plugin, or of a kind without a plugin. A plugin and a kind may have the same name.
private enum HostKey: Hashable {
  case plugin(String)
  case kind(MessageKind)

  var name: String {
    switch self {
    case .plugin(let business): business
    case .kind(let kind): kind.rawValue
    }
  }
}

extension CardRegistry.Entry {
  fileprivate func host(of kind: MessageKind) -> HostKey {
    if case .plugin(let type) = self { .plugin(type.business) } else { .kind(kind) }
  }
}
