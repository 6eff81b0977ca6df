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
  private let patience: Duration
  private let state = Mutex(State())
  /// Apart, since a plugin may ask for something while it is made.
  private let plugins = Mutex<[String: Behind]>([:])
  private let reloading = ReloadPublisher()
  private let reporting = ProblemPublisher()

  private struct State {
    var cards: [LocalMessageID: MessageCardViewModel] = [:]
    var revisions: [LocalMessageID: Int] = [:]
  }
  /// A plugin at work in this chat.
  private struct Behind {
    let plugin: any MessageCardPlugin
    let allowance: SendAllowance
  }
  /// How many cards are kept before those that the chat's window holds no more are forgotten.
  private static let mostKept = 5000

  /// Makes cards for a chat.
  ///
  /// - Parameters:
  ///   - delegate: held weakly; without it cards have the surface's own look.
  ///   - patience: after how long ``problems`` names a business whose action has not ended; it is not stopped.
  public init(
    for chat: ChatContext, registry: CardRegistry, delegate: (any MessageCardDelegate)? = nil,
    patience: Duration = .seconds(30)
  ) {
    self.chat = chat
    self.registry = registry
    self.delegate = delegate
    self.patience = patience
  }

  deinit {
    reloading.close()
    reporting.close()
  }

  // MARK: Cards

  /// The card of a message of the chat as that message is now; from any isolation.
  public func card(for message: ChatMessage) -> MessageCardViewModel {
    let (known, revision) = state.withLock { ($0.cards[message.id], $0.revisions[message.id] ?? 0) }
    let theme = delegate?.theme ?? CardTheme()
    let style = delegate?.style(of: message) ?? CardStyle()
    if let known, known.message.version == message.version, known.revision == revision,
      known.theme == theme, known.style == style
    {
      return known
    }
    let (components, problem) = components(of: message)
    let card = MessageCardViewModel(
      message: message, revision: revision, components: components, theme: theme, style: style,
      problem: problem)
    state.withLock { keep(card, in: &$0) }
    return card
  }

  private func keep(_ card: MessageCardViewModel, in state: inout State) {
    if state.cards.count >= Self.mostKept {
      let shown = Set(chat.messages.compactMap { $0.message?.id })
      state.cards = state.cards.filter { shown.contains($0.key) }
      state.revisions = state.revisions.filter { shown.contains($0.key) }
    }
    state.cards[card.id] = card
  }

  /// What a message's card is made of, a quote above it; its text where nobody draws it, or where who does fails.
  private func components(of message: ChatMessage) -> ([any CardComponent], CardProblem?) {
    let quote: [any CardComponent] = message.quote.map { [QuoteComponent($0)] } ?? []
    let text = quote + [CardText(message.content.displayedText)]
    guard let entry = registry[message.kind] else { return (text, nil) }
    do {
      let components =
        switch entry {
        case .plugin(let type): try plugin(type).plugin.components(of: message)
        case .components(let make): try make(message)
        }
      return (components.isEmpty ? text : quote + components, nil)
    } catch {
      let problem = CardProblem(
        code: .noComponents, business: entry.business(of: message.kind), message: message.id,
        reason: "\(error)")
      report(problem)
      return (text, problem)
    }
  }

  // MARK: Plugins

  private func plugin(_ type: any MessageCardPlugin.Type) -> Behind {
    plugins.withLock { plugins in
      if let known = plugins[type.business] { return known }
      let allowance = SendAllowance()
      let context = MessageCardContext(
        conversation: chat.conversation, kinds: Set(type.kinds), chat: chat, host: { [weak self] in self },
        sends: allowance, business: type.business)
      let new = Behind(plugin: type.init(context), allowance: allowance)
      plugins[type.business] = new
      return new
    }
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
    guard case .plugin(let type)? = registry[kind],
      card.actions(of: component).contains(where: { offered in
        offered.name == action && offered.isEnabled && offered.value ?? value == value
      })
    else {
      report(
        CardProblem(
          code: .actionUnknown, business: registry[kind]?.business(of: kind) ?? kind.rawValue,
          message: card.id, reason: "\(component.rawValue) does not offer \(action.rawValue)."))
      return nil
    }
    let behind = plugin(type)
    behind.allowance.renew()
    return Task { [weak self, patience] in
      let watch = Task { [weak self] in
        guard (try? await Task.sleep(for: patience)) != nil else { return }
        self?.report(
          CardProblem(
            code: .actionHangs, business: type.business, message: card.id,
            reason: "\(action.rawValue) has not ended in \(patience)."))
      }
      defer { watch.cancel() }
      do {
        try await behind.plugin.perform(action, value, on: card.message)
      } catch {
        self?.report(
          CardProblem(
            code: .actionFailed, business: type.business, message: card.id, reason: "\(error)"))
      }
    }
  }

  // MARK: Reloading

  /// Which cards to draw anew because their plugins know more; each loop over it is a listener of its own. Who is slow gets
  /// several reloads as one.
  public var reloads: AsyncStream<Set<LocalMessageID>> { reloading.updates }

  /// Has cards of a business made anew when they are asked for next.
  func reload(_ messages: [LocalMessageID], for business: String) {
    let reloaded = state.withLock { state in
      let own = messages.filter { id in
        guard let kind = state.cards[id]?.message.kind else { return false }
        return registry[kind]?.business(of: kind) == business
      }
      for id in own { state.revisions[id, default: 0] += 1 }
      return Set(own)
    }
    if !reloaded.isEmpty { reloading.publish(reloaded) }
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
