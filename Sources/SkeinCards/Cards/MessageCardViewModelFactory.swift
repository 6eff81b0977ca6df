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
  private let patience: Patience
  private let state = Mutex(State())
  private let businesses = Mutex<[String: CardBusiness]>([:])
  private let reloading = ReloadPublisher()
  private let reporting = ProblemPublisher()

  private struct State {
    var cards: [LocalMessageID: MessageCardViewModel] = [:]
    var revisions: [LocalMessageID: Int] = [:]
    /// How many cards are kept before those that the chat's window holds no more are forgotten.
    var most = 5000
  }
  /// How long businesses are waited for before ``problems`` names them; none is ever stopped.
  public struct Patience: Sendable {
    /// For what a card is made of: a list that shows cards stands still for as long, once for each time that a business hangs.
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
    patience: Patience = Patience()
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
    if state.cards.count >= state.most {
      let shown = Set(chat.messages.compactMap { $0.message?.id })
      state.cards = state.cards.filter { shown.contains($0.key) }
      state.revisions = state.revisions.filter { shown.contains($0.key) }
      // A window may hold more than that: it is not looked through for each card.
      state.most = max(state.most, 2 * state.cards.count)
    }
    state.cards[card.id] = card
  }

  /// What a message's card is made of, a quote above it; its text where nobody draws it, or where who does fails.
  private func components(of message: ChatMessage) -> ([any CardComponent], CardProblem?) {
    let quote: [any CardComponent] = message.quote.map { [QuoteComponent($0)] } ?? []
    let text = quote + [CardText(message.content.displayedText)]
    guard let entry = registry[message.kind] else { return (text, nil) }
    let business = business(entry.business(of: message.kind))
    do {
      let components = try business.components(of: message.id, within: patience.components) { [weak self] in
        switch entry {
        case .plugin(let type): try self?.plugin(type, of: business).components(of: message) ?? []
        case .components(let make): try make(message)
        }
      } recovered: { [weak self] in
        self?.remake($0)
      }
      return (components.isEmpty ? text : quote + components, nil)
    } catch {
      let problem = problem(of: business, at: message, error)
      if (error as? CardBusiness.Hang)?.isNew != false { report(problem) }
      return (text, problem)
    }
  }

  private func problem(of business: CardBusiness, at message: ChatMessage, _ error: any Error) -> CardProblem
  {
    let isHanging = error is CardBusiness.Hang
    return CardProblem(
      code: isHanging ? .componentsHang : .noComponents, business: business.name, message: message.id,
      reason: isHanging ? "It has not said in \(patience.components) what the card is made of." : "\(error)")
  }

  // MARK: Plugins

  private func business(_ name: String) -> CardBusiness {
    businesses.withLock { businesses in
      if let known = businesses[name] { return known }
      let new = CardBusiness(name)
      businesses[name] = new
      return new
    }
  }

  private func plugin(
    _ type: any MessageCardPlugin.Type, of business: CardBusiness
  ) -> any MessageCardPlugin {
    business.plugin {
      type.init(
        MessageCardContext(
          conversation: chat.conversation, kinds: Set(type.kinds), chat: chat, host: { [weak self] in self },
          sends: business.allowance, business: type.business))
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
    let business = business(type.business)
    business.allowance.renew()
    return Task { [weak self, patience] in
      let watch = Task { [weak self] in
        guard (try? await Task.sleep(for: patience.action)) != nil else { return }
        self?.report(
          CardProblem(
            code: .actionHangs, business: type.business, message: card.id,
            reason: "\(action.rawValue) has not ended in \(patience.action)."))
      }
      defer { watch.cancel() }
      do {
        try await business.plugin?.perform(action, value, on: card.message)
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

  /// Has the cards made that a business owed while it hung.
  private func remake(_ messages: Set<LocalMessageID>) {
    state.withLock { state in
      for id in messages { state.revisions[id, default: 0] += 1 }
    }
    reloading.publish(messages)
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
