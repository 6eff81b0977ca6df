import Foundation
import Skein
import SkeinCards
import SkeinSockets

/// One open page: it is told of everything that changes, and has done what somebody does on it.
actor WebSession {
  let client: ChatClient
  private let registry: CardRegistry
  private let log: InspectorLog
  let surface: HTMLSurface
  let patches: AsyncStream<[PagePatch]>
  private let page: AsyncStream<[PagePatch]>.Continuation
  private var following: [Task<Void, Never>] = []
  private(set) var chat: OpenChat?

  init(_ client: ChatClient, registry: CardRegistry, files: ServedFiles, log: InspectorLog) {
    self.client = client
    self.registry = registry
    self.log = log
    surface = HTMLSurface(files)
    (patches, page) = AsyncStream.makeStream()
  }

  func show(_ patches: [PagePatch]) { if !patches.isEmpty { page.yield(patches) } }

  /// Shows and follows everything until the page is closed.
  func start() {
    following = [
      Task {
        var isFirst = true
        for await update in client.conversations.changes {
          showConversations(update, isFirst: isFirst)
          isFirst = false
        }
      },
      Task { for await _ in client.connectionStates { showConnection() } },
      Task { for await _ in client.catchUpStates { showConnection() } },
    ]
  }

  func end() async {
    for task in following { task.cancel() }
    await chat?.close()
    page.finish()
  }

  // MARK: Around the chat

  private func showConnection() {
    show([.fill(.connection, ChatHeader.connection(client.connectionState, client.catchUpState))])
  }

  private func showConversations(_ update: ListUpdate<Conversation>, isFirst: Bool) {
    let open = chat?.context.conversation
    show(
      (isFirst ? [.clear(.conversations)] : [])
        + PagePatch.steps(of: update.change, in: .conversations) {
          let conversation = update.snapshot[$0]
          return ConversationRow.html(of: conversation, isOpen: conversation.id == open)
        } + [.unread(client.conversations.unreadCount)])
  }

  // MARK: The chat

  func open(_ conversation: ConversationID, at message: LocalMessageID? = nil) async throws {
    if chat?.context.conversation != conversation {
      await chat?.close()
      guard let known = client.conversations.conversations.first(where: { $0.id == conversation }) else {
        throw ChatError(.conversationUnknown, "There is no such chat.")
      }
      let context = client.context(for: conversation)
      try await context.open()
      let members = try await client.members(of: conversation)
      let chat = OpenChat(
        known, members: members, context, client: client, registry: registry, surface: surface, page: page,
        log: log)
      self.chat = chat
      show([.opened(conversation, draft: known.draft ?? ""), .clear(.messages), .fill(.results, .empty)])
      await chat.start()
    }
    if let message { try await chat?.jump(to: message) }
  }

  /// What somebody has done on the page.
  func take(_ request: PageRequest) async {
    do {
      try await perform(request)
    } catch is CancellationError {
    } catch {
      show([.fill(.notice, HTML(.span) { HTML(Self.sentence(for: error)) })])
    }
  }

  private static func sentence(for error: any Error) -> String {
    switch error {
    case let error as ChatError: error.message
    case let error as BackendError: error.message
    case let error as SendFailure: error.message
    default: String(describing: error)
    }
  }
}
