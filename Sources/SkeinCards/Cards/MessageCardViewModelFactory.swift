public import Skein
import Synchronization

/// Makes the cards of one chat's messages, and keeps them.
///
/// 1. A card is made when it is asked for, so a list makes those that it shows; it is made again when its message has
///    another version or its plugin has reloaded it, and not before.
/// 2. What a business does wrong costs its own cards and nothing else: they show their text, and ``problems`` tells.
///
/// ```swift
/// let cards = MessageCardViewModelFactory(for: chat, registry: registry, delegate: list)
/// for await update in chat.changes { list.apply(update) }           // cell: draw(cards.card(for: message))
/// for await reloaded in cards.reloads { list.redraw(reloaded) }
/// ```
public final class MessageCardViewModelFactory: Sendable {
  private let chat: ChatContext
  private let registry: CardRegistry
  private weak let delegate: (any MessageCardDelegate)?
  private let timeouts: Timeouts
  private let state = Mutex(State())
  private let hosts = Mutex<[String: PluginHost]>([:])
  private let reloading = ReloadPublisher()
  private let reporting = ProblemPublisher()

  private struct State {
    var entries: [LocalMessageID: Entry] = [:]
    /// How many are kept before those that the chat's window holds no more are forgotten.
    var most = 5000
  }
  /// What is known of a message's card.
  private struct Entry {
    var kind: MessageKind
    var revision = 0
    var card: MessageCardViewModel?
  }

  /// How long businesses are waited for before ``problems`` names them; none is ever stopped.
  public struct Timeouts: Sendable {
    /// For what a card is made of. Whoever asks for the card stands still for as long, and its thread with it; once for each
    /// business, as one that was too late is not waited for until it is in time again.
    public var components: Duration
    /// For an action to end: nobody waits for that.
    public var action: Duration

    /// Half a second and half a minute, unless said otherwise.
    public init(components: Duration = .milliseconds(500), action: Duration = .seconds(30)) {
      (self.components, self.action) = (components, action)
    }
  }

  /// Makes cards for a chat.
  ///
  /// - Parameter delegate: held weakly; without it cards have the surface's own look.
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

  /// The card of a message of the chat as that message is now; from any isolation.
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

  /// What is known of a message's card. It is there before the card is made, so that no reload meanwhile is lost.
  private func entry(of message: ChatMessage) -> Entry {
    state.withLock { state in
      if state.entries[message.id] == nil, state.entries.count >= state.most {
        let shown = Set(chat.messages.compactMap { $0.message?.id })
        state.entries = state.entries.filter { shown.contains($0.key) }
        // A window may hold more than that: it is not looked through for each card.
        state.most = max(state.most, 2 * state.entries.count)
      }
      state.entries[message.id, default: Entry(kind: message.kind)].kind = message.kind
      return state.entries[message.id] ?? Entry(kind: message.kind)
    }
  }

  /// What a message's card is made of, a quote above it; its text where nobody draws it, or where who does fails.
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

  private func problem(of host: PluginHost, at message: ChatMessage, _ error: any Error) -> CardProblem
  {
    let isHanging = error is PluginHost.Hang
    return CardProblem(
      code: isHanging ? .componentsHang : .noComponents, business: host.name, message: message.id,
      reason: isHanging ? "It has not said in \(timeouts.components) what the card is made of." : "\(error)")
  }

  // MARK: Plugins

  private func host(of entry: CardRegistry.Entry, _ kind: MessageKind) -> PluginHost {
    let name = entry.business(of: kind)
    return hosts.withLock { hosts in
      if let known = hosts[name] { return known }
      let new = makeHost(name, entry)
      hosts[name] = new
      return new
    }
  }

  private func makeHost(_ name: String, _ entry: CardRegistry.Entry) -> PluginHost {
    guard case .plugin(let type) = entry else { return PluginHost(name, owner: nil) }
    let context = MessageCardContext(
      conversation: chat.conversation, kinds: Set(type.kinds), chat: chat, factory: { [weak self] in self },
      sends: SendAllowance(), business: name)
    return PluginHost(name, owner: (type, context))
  }

  /// Does what a component of a card offers, on a task of its own; what comes of it, its plugin shows by reloading the card.
  ///
  /// - Parameters:
  ///   - action: one of the component's own that is enabled; with another nothing is done.
  ///   - value: the action's own, or where that has none, what a person typed.
  /// - Returns: what it is done on, for whoever wants to wait.
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
          code: .actionUnknown, business: registry[kind]?.business(of: kind) ?? kind.rawValue,
          message: card.id, reason: "\(component.rawValue) does not offer \(action.rawValue)."))
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
            reason: "\(action.rawValue) has not ended in \(timeouts.action)."))
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

  /// Which cards to draw anew because their plugins know more; each loop over it is a listener of its own. Who is slow gets
  /// several reloads as one.
  public var reloads: AsyncStream<Set<LocalMessageID>> { reloading.updates }

  /// Has cards of a business made anew when they are asked for next.
  func reload(_ messages: [LocalMessageID], for business: String) {
    let own = state.withLock { state in
      messages.filter { id in
        guard let kind = state.entries[id]?.kind else { return false }
        return registry[kind]?.business(of: kind) == business
      }
    }
    hosts.withLock { $0[business] }?.invalidate(own)
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

  /// What businesses did wrong so far, the latest 100.
  public var problems: [CardProblem] { reporting.all }

  /// What businesses do wrong from now on; each loop over it is a listener of its own.
  public var problemUpdates: AsyncStream<CardProblem> { reporting.updates }

  func report(_ problem: CardProblem) { reporting.publish(problem) }
}

extension CardRegistry.Entry {
  /// Whose cards they are.
  func business(of kind: MessageKind) -> String {
    if case .plugin(let type) = self { type.business } else { kind.rawValue }
  }
}
