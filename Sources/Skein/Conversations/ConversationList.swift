import SkeinStorage

/// The conversations of an account, pinned ones first, then the latest.
///
/// ``conversations`` reads from any isolation; applying each change of ``changes`` to the list before it gives the list
/// after it.
public final class ConversationList: Sendable {
  private let store: ChatStore
  private let list: StoredList<StoredConversations>

  init(store: ChatStore) {
    self.store = store
    list = StoredList(of: StoredConversations(), in: store, sortedBy: Conversation.isOrderedBefore)
  }

  /// Ends every loop over ``changes``; the list stays as it is.
  func close() { list.close() }

  /// Loads the stored conversations, if that has not happened yet; the list does so by itself when it is made.
  ///
  /// - Throws: `StorageError` if the database can't be read.
  public func open() async throws { try await list.open() }

  /// The list as it is now; empty until it is loaded.
  public var conversations: ListSnapshot<Conversation> { list.publisher.snapshot }

  /// The steps by which ``conversations`` changes; each loop over it is a listener of its own.
  public var changes: ListUpdates<Conversation> { list.publisher.updates(of: self) }

  /// The conversations whose name has a text somewhere in it, in the list's order; case does not count.
  public func named(_ text: String) -> [Conversation] {
    let wanted = text.lowercased()
    return conversations.filter { $0.name.lowercased().contains(wanted) }
  }

  /// Unread messages of all conversations that are not muted.
  public var unreadCount: Int {
    conversations.reduce(0) { $0 + ($1.isMuted ? 0 : $1.unreadCount) }
  }

  /// Puts a conversation above the others, or back among them.
  public func setPinned(_ isPinned: Bool, for conversation: ConversationID) async throws {
    try await change(conversation) { $0.isPinned = isPinned }
  }

  /// Silences a conversation, or lets it alert again.
  public func setMuted(_ isMuted: Bool, for conversation: ConversationID) async throws {
    try await change(conversation) { $0.isMuted = isMuted }
  }

  /// Keeps text that was not sent yet; empty text takes the draft away.
  public func setDraft(_ draft: String, for conversation: ConversationID) async throws {
    try await change(conversation) { $0.draft = draft.isEmpty ? nil : draft }
  }

  /// Takes a conversation and its messages away from this device; the messages do not come back, and the conversation only
  /// with the next one. They count as read on all devices. What waits to be sent is sent, and keeps it in the list.
  public func delete(_ conversation: ConversationID) async throws {
    try await store.write(.powerCut) { try Clearing($0).deleteConversation(conversation) }
  }

  /// Leaves a group: it goes from the list at once, what was to be sent to it fails, and the server and its other members
  /// hear of it when it can be reached.
  ///
  /// - Throws: ``ChatError`` if the backend knows no leaving, or it is no group.
  public func leave(_ conversation: ConversationID) async throws {
    guard store.capabilities.leaving else {
      throw ChatError(.backendUnsupported, "Groups of this server can't be left.")
    }
    try await store.write(.powerCut) { try ConversationEnds($0).leave(conversation) }
  }

  private func change(
    _ conversation: ConversationID, _ body: @Sendable (inout ConversationRow) -> Void
  ) async throws {
    try await store.write(.kill) { try $0.change(conversation, body) }
  }
}

private struct StoredConversations: StoredListSource {
  /// What a start has brought and is not shown yet: each conversation as it was last.
  private var withheld: [ConversationID: StoreChanges.Part] = [:]

  func stored(in store: ChatStore) async throws -> [Conversation] {
    try await store.read { database in
      try database.listedConversations().map {
        row in
        let last = try database.lastMessage(of: row.id)
        return row.conversation(lastMessage: last?.message(for: store.account, kinds: store.kinds))
      }
    }
  }

  mutating func step(for changes: StoreChanges) -> (inserting: [Conversation], deleting: [ConversationID])? {
    // Where nothing of it changed that the list shows, what it waits with stands.
    var parts = changes.parts.filter { $0.value != nil || $0.mergedInto != nil || !$0.isListed }
    for part in parts { withheld[part.conversation] = changes.isWithheld ? part : nil }
    if changes.isWithheld { return nil }
    if changes.isRelease {
      parts += withheld.sorted { $0.key < $1.key }.map(\.value)
      withheld = [:]
    }
    return (
      parts.filter(\.isListed).compactMap(\.value),
      parts.filter { $0.mergedInto != nil || !$0.isListed }.map(\.conversation)
    )
  }
}
