import Foundation
import Skein
import SkeinCards

/// The session of one open page: sends every change to the page and carries out the page's requests.
actor WebSession {
  /// Work that may wait long for the server while other requests continue.
  private enum Fetch: Hashable {
    case page(PageDirection), fill, jump

    init?(_ request: PageRequest) {
      switch request {
      case .chat(_, .fetch(let direction)): self = .page(direction)
      case .chat(_, .fill): self = .fill
      case .chat(_, .jump): self = .jump
      default: return nil
      }
    }
  }

  let client: ChatClient
  private let registry: CardRegistry
  private let log: InspectorLog
  private let files: ServedFiles
  let patches: AsyncStream<[PagePatch]>
  private let page: AsyncStream<[PagePatch]>.Continuation
  private var following: [Task<Void, Never>] = []
  private(set) var chat: OpenChat?
  private var fetching: [Fetch: Task<Void, Never>] = [:]
  /// Follows the flagged messages that are listed in place of search results.
  private var listing: Task<Void, Never>?
  private var isEnded = false
  private var shownConnection: HTML?

  init(_ client: ChatClient, registry: CardRegistry, files: ServedFiles, log: InspectorLog) {
    self.client = client
    self.registry = registry
    self.log = log
    self.files = files
    (patches, page) = AsyncStream.makeStream()
  }

  func show(_ patches: [PagePatch]) { if !patches.isEmpty { page.yield(patches) } }

  /// Sends the present state, and then every change until ``end()``.
  func start() {
    guard !isEnded else { return }
    following = [
      Task {
        var isFirst = true
        for await update in client.conversations.changes {
          await showConversations(update, isFirst: isFirst)
          isFirst = false
        }
      },
      Task { for await _ in client.connectionStates { showConnection() } },
      Task {
        for await _ in client.catchUpStates {
          // A short fetch is not announced.
          guard (try? await Task.sleep(for: .milliseconds(500))) != nil else { return }
          showConnection()
        }
      },
    ]
  }

  func end() async {
    isEnded = true
    for task in following + fetching.values { task.cancel() }
    listing?.cancel()
    await chat?.close()
    page.finish()
  }

  // MARK: Connection and conversations

  private func showConnection() {
    let now = ChatHeader.connection(client.connectionState, client.catchUpState)
    guard now != shownConnection else { return }
    shownConnection = now
    show([.fill(.connection, now)])
  }

  private func showConversations(_ update: ListUpdate<Conversation>, isFirst: Bool) async {
    // The page may open another chat meanwhile.
    let chat = chat
    let open = chat?.context.conversation
    show(
      (isFirst ? [.clear(.conversations)] : [])
        + PagePatch.steps(of: update.change, in: .conversations) {
          let conversation = update.snapshot[$0]
          return ConversationRow.html(of: conversation, isOpen: conversation.id == open)
        } + [.unread(client.conversations.unreadCount)])
    if let known = update.snapshot.first(where: { $0.id == open }) {
      await chat?.update(known)
    } else {
      await chat?.endInvitation()
    }
  }

  // MARK: The chat

  func open(_ conversation: ConversationID, at target: JumpTarget? = nil) async throws {
    if chat?.context.conversation == conversation {
      if let target { await handle(.chat(conversation, .jump(to: target))) }
      return
    }
    guard let known = client.conversations.conversations.first(where: { $0.id == conversation }) else {
      throw ChatError(.conversationUnknown, "There is no such chat.")
    }
    let context = client.context(for: conversation)
    try await context.open()
    let message: LocalMessageID? =
      if case .message(let message) = target { try await context.jump(to: .message(message)) } else { nil }
    let members = try await client.members(of: conversation)
    // Another chat may be opened while one is closed.
    while let known = chat {
      chat = nil
      await known.close()
    }
    guard !isEnded else { return }
    for task in fetching.values { task.cancel() }
    fetching = [:]
    let chat = OpenChat(
      known, members: members, context, client: client, registry: registry, files: files, page: page,
      log: log, visit: { [weak self] user in Task { await self?.visit(user) } })
    self.chat = chat
    show([.opened(conversation, draft: known.draft ?? ""), .clear(.messages)])
    showResults(.empty)
    await chat.start(revealing: message)
    // The server may take long to answer, and other requests must not wait.
    if let target, message == nil { await handle(.chat(conversation, .jump(to: target))) }
  }

  // MARK: Results

  /// Shows the results of a search; ``HTML/empty`` closes the results.
  func showResults(_ results: HTML) {
    listing?.cancel()
    show([.fill(.results, results)])
  }

  /// Shows the messages that have a flag, in place of search results. Shows them again after every change.
  func showResults(_ label: FlagLabel, _ updates: AsyncStream<[FlaggedMessage]>) {
    listing?.cancel()
    listing = Task {
      for await messages in updates {
        guard !Task.isCancelled else { return }
        let conversations = client.conversations.conversations
        show([.fill(.results, SearchResults.html(of: messages, with: label, in: conversations))])
      }
    }
  }

  // MARK: Requests

  /// Carries out a request. A fetch runs concurrently with other requests.
  func handle(_ request: PageRequest) async {
    guard let fetch = Fetch(request) else { return await carryOut(request) }
    // A jump cancels the previous jump. Any other fetch is ignored while a fetch of the same kind runs.
    if fetch == .jump { fetching[.jump]?.cancel() } else if fetching[fetch] != nil { return }
    fetching[fetch] = Task {
      await carryOut(request)
      if !Task.isCancelled { fetching[fetch] = nil }
    }
  }

  private func carryOut(_ request: PageRequest) async {
    let direction: PageDirection? = if case .page(let direction) = Fetch(request) { direction } else { nil }
    let asked = chat
    /// Reports the end of a fetch, unless the page shows another chat by now.
    func showEnd(_ patches: (PageDirection) -> [PagePatch]) {
      if let direction, chat === asked { show(patches(direction)) }
    }
    do {
      try await perform(request)
      showEnd { direction in
        let context = asked?.context
        return [
          .reach(
            older: context?.hasMorePreviousMessages ?? false, newer: context?.hasMoreNextMessages ?? false),
          .fetched(direction),
        ]
      }
    } catch is CancellationError {
      // A later jump has replaced this jump, or the chat or the page was closed.
      showEnd { [.fetched($0)] }
    } catch {
      show(error)
      showEnd { [.fetchFailed($0)] }
    }
  }

  /// Opens the chat with the user of a contact card.
  private func visit(_ user: UserID) async {
    do { try await begin(user.rawValue) } catch { show(error) }
  }

  private func show(_ error: any Error) {
    let sentence =
      switch error {
      case let error as ChatError: error.message
      case let error as BackendError: error.message
      case let error as SendFailure: error.message
      default: String(describing: error)
      }
    show([.fill(.notice, HTML(.span) { HTML(sentence) })])
  }
}
