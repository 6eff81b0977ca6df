import Skein
import SkeinCards

/// The chat that a page shows. Follows the chat's changes, and sends the changed rows to the page as HTML.
actor OpenChat {
  let context: ChatContext
  private var conversation: Conversation
  private var members: [UserID]
  private let cards: MessageCardViewModelFactory
  private let opener: PageOpener
  private let row: MessageRow
  private let client: ChatClient
  private let page: AsyncStream<[PagePatch]>.Continuation
  private let log: InspectorLog
  private var isClosed = false
  /// Whether the page shows that the invitation has ended. There may be another invitation later.
  private var hasEnded = false
  /// The list that the page shows.
  private var shown = MessageList()
  /// The last drawn HTML of each message's row. The row of an unchanged message may change, for example when
  /// an upload progresses.
  private var drawn: [LocalMessageID: HTML] = [:]
  /// The message that the page scrolls to once the list contains the message.
  private var awaited: LocalMessageID?
  private var following: [Task<Void, Never>] = []

  init(
    _ conversation: Conversation, members: [UserID], _ context: ChatContext, client: ChatClient,
    registry: CardRegistry, files: ServedFiles, page: AsyncStream<[PagePatch]>.Continuation,
    log: InspectorLog, visit: @escaping @Sendable (UserID) -> Void
  ) {
    self.conversation = conversation
    self.members = members
    self.context = context
    self.client = client
    self.page = page
    self.log = log
    opener = PageOpener(client: client, page: page, visit: visit)
    cards = MessageCardViewModelFactory(for: context, registry: registry, delegate: opener)
    row = MessageRow(
      account: client.account, files: files, isGroup: conversation.type != .direct)
  }

  /// Starts following the chat.
  ///
  /// - Parameter message: The message that the page scrolls to, if any.
  func start(revealing message: LocalMessageID?) {
    awaited = message
    // The streams must exist before the first card is drawn.
    let (problems, reloads) = (cards.problemUpdates, cards.reloads)
    following = [
      Task { for await problem in problems { note(problem) } },
      Task { for await update in context.changes { show(update) } },
      Task { for await _ in context.receiptUpdates { redraw { $0.isOwn && $0.status == .sent } } },
      Task { for await ids in reloads { redraw { ids.contains($0.id) } } },
      Task {
        for await _ in client.sendStates {
          redraw { $0.isOwn && $0.status.isWaiting }
          // An upload may report its progress often, so don't draw after each report.
          try? await Task.sleep(for: .milliseconds(200))
        }
      },
      // Updates the seconds until the next attempt.
      Task {
        while (try? await Task.sleep(for: .seconds(1))) != nil {
          redraw { $0.isOwn && $0.status.isWaiting }
        }
      },
      Task { for await _ in context.typistUpdates { showHeader() } },
      Task {
        for await pinned in context.pinnedMessageUpdates { show([.fill(.pinned, ChatHeader.pinned(pinned))]) }
      },
    ]
    if let peer = conversation.peer {
      following.append(Task { for await _ in client.presenceUpdates(of: peer) { showHeader() } })
    }
  }

  /// Stops following the chat. The page receives no further changes of the chat.
  func close() {
    isClosed = true
    for task in following { task.cancel() }
  }

  // MARK: Drawing

  private func show(_ patches: [PagePatch]) { if !isClosed, !patches.isEmpty { page.yield(patches) } }

  /// Logs a problem of a plugin. The user sees the problem only if it concerns an action of the user.
  private func note(_ problem: CardProblem) {
    log.note(problem)
    guard [.actionFailed, .actionHangs, .actionUnknown].contains(problem.code) else { return }
    show([.fill(.notice, HTML(.span) { HTML("\(problem.business): \(problem.reason)") })])
  }

  private func show(_ update: ListUpdate<MessageListItem>) {
    shown = update.snapshot
    let start = ContinuousClock.now
    var patches = PagePatch.steps(of: update.change, in: .messages) { html(at: $0) }
    if !patches.isEmpty { log.noteDrawing(.now - start) }
    patches.append(.reach(older: context.hasMorePreviousMessages, newer: context.hasMoreNextMessages))
    if let awaited, shown.contains(where: { $0.message?.id == awaited }) {
      patches.append(.reveal(awaited))
      self.awaited = nil
    }
    if drawn.count > 2 * shown.count + 100 {
      let here = Set(shown.compactMap { $0.message?.id })
      drawn = drawn.filter { here.contains($0.key) }
    }
    show(patches)
  }

  /// Draws the rows of certain messages again, and sends the rows that have changed.
  private func redraw(where isConcerned: (ChatMessage) -> Bool) {
    var patches: [PagePatch] = []
    for (index, item) in shown.enumerated() {
      guard let message = item.message, isConcerned(message) else { continue }
      let before = drawn[message.id]
      let now = html(at: index)
      if before != now { patches.append(.replace(index, now, in: .messages)) }
    }
    show(patches)
  }

  private func html(at index: Int) -> HTML {
    switch shown[index] {
    case .gap(let gap): return row.html(of: gap)
    case .message(let message):
      let receipt = message.isOwn ? context.receipts.stage(of: message) : .sent
      let html = row.html(of: cards.card(for: message), receipt, standing(of: message))
      drawn[message.id] = html
      return html
    }
  }

  /// The reason why a message waits, or the progress of its upload. Nil if the message does not wait. If this
  /// process sends the message, also nil for the states `queued` and `posting`.
  private func standing(of message: ChatMessage) -> String? {
    guard message.isOwn, message.status.isWaiting else { return nil }
    if client.connectionState == .elsewhere { return SendStanding.elsewhere.text(at: client.now) }
    let status = client.sendStatus
    guard let state = status.state(of: message.id), state != .queued, state != .posting else { return nil }
    return SendStanding(state, nextTry: status.nextTry) { other in
      context.messages.first { $0.message?.id == other }?.message?.kind
    }?.text(at: client.now)
  }

  private func showHeader() {
    let presence = conversation.peer.flatMap { client.presence(of: $0) }
    show([
      .fill(
        .header,
        ChatHeader.html(of: conversation, members: members, presence: presence, typists: context.typists)),
      .fill(.invitation, ChatHeader.invitation(to: conversation)),
    ])
  }

  /// Shows that an invitation can't be answered any more, since the conversation is not listed.
  func endInvitation() {
    guard conversation.asksToJoin else { return }
    hasEnded = true
    show([.fill(.invitation, HTML(.span) { HTML("This invitation has ended.") })])
  }

  /// Shows the header again if the conversation's name, failure, invitation or members have changed.
  func update(_ conversation: Conversation) async {
    let isOther =
      (conversation.name, conversation.failure, conversation.invitation)
      != (self.conversation.name, self.conversation.failure, self.conversation.invitation)
    self.conversation = conversation
    let members = (try? await client.members(of: conversation.id)) ?? self.members
    if isOther || hasEnded || members != self.members {
      (self.members, hasEnded) = (members, false)
      showHeader()
    }
  }

  // MARK: Requests

  func fill(at index: Int) async throws {
    guard shown.indices.contains(index), let gap = shown[index].gap else { return }
    try await context.fill(gap)
  }

  func jump(to target: JumpTarget) async throws { reveal(try await context.jump(to: target)) }

  private func reveal(_ message: LocalMessageID?) {
    guard let message else { return }
    guard shown.contains(where: { $0.message?.id == message }) else { return awaited = message }
    show([.reveal(message)])
  }

  func perform(_ request: CardRequest) {
    guard let message = shown.first(where: { $0.message?.id == request.message })?.message else { return }
    cards.perform(
      request.action, of: request.component, on: cards.card(for: message), value: request.value)
  }
}

extension ChatContext {
  /// Moves the window to a target, and returns the message at the target. For a time, returns the first
  /// message in the window that is not older. Returns nil if the window contains no such message.
  func jump(to target: JumpTarget) async throws -> LocalMessageID? {
    switch target {
    case .message(let message):
      try await jump(to: message)
      return message
    case .remote(let name):
      try await jump(to: name)
      return messages.first { $0.message?.serverID == name }?.message?.id
    case .moment(let time):
      try await jump(to: time)
      return messages.first { $0.message.map { $0.time >= time } ?? false }?.message?.id
    }
  }
}

/// Opens chats for cards and plugins, and tells the user about pages that only an app has.
private final class PageOpener: MessageCardDelegate {
  private let client: ChatClient
  private let page: AsyncStream<[PagePatch]>.Continuation
  private let visit: @Sendable (UserID) -> Void

  init(
    client: ChatClient, page: AsyncStream<[PagePatch]>.Continuation,
    visit: @escaping @Sendable (UserID) -> Void
  ) {
    self.client = client
    self.page = page
    self.visit = visit
  }

  func style(of message: ChatMessage) -> CardStyle { CardStyle(namingSenderOf: message, like: client) }

  func open(_ page: CardPage) {
    if let user = ContactComponent.user(of: page) { return visit(user) }
    self.page.yield([
      .fill(.notice, HTML(.span) { HTML("An app would open its page “\(page.name.rawValue)” here.") })
    ])
  }
}
