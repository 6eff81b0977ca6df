import SkeinStorage

/// The conversations of an account: first the pinned conversations, then the others, both sorted by latest activity.
///
/// ``conversations`` can be read from any isolation. To get the next list, apply the next change of ``changes`` to the
/// current list.
public final class ConversationList: Sendable {
  private let store: ChatStore
  private let list: StoredList<StoredConversations>
  /// The stored number of unread messages in all conversations that are not muted; used until the list is
  /// loaded completely.
  private let storedUnreadCount = StatePublisher(0)
  /// The number of conversations that a new list loads first: more than a screen shows.
  static let pageSize = 50

  init(store: ChatStore, pageSize: Int = pageSize) {
    self.store = store
    list = StoredList(
      of: StoredConversations(unreadCount: storedUnreadCount), in: store, pageSize: pageSize,
      sortedBy: Conversation.isOrderedBefore)
  }

  /// Ends every loop over ``changes``. Afterwards the list no longer changes.
  func close() { list.close() }

  /// Loads the stored conversations if they are not loaded yet. A new list loads the conversations by itself:
  /// first the conversations at the top of the list, and then all others in one change.
  ///
  /// - Throws: `StorageError` if the database can't be read.
  public func open() async throws { try await list.open() }

  /// The current list; empty until the stored conversations are loaded.
  public var conversations: ListSnapshot<Conversation> { list.publisher.snapshot }

  /// The changes of ``conversations``. Each loop over the changes is a separate listener.
  public var changes: ListUpdates<Conversation> { list.publisher.updates(of: self) }

  /// Returns the conversations whose name contains a text, in the order of the list. Case is ignored.
  public func named(_ text: String) -> [Conversation] {
    let wanted = text.lowercased()
    return conversations.filter { $0.name.lowercased().contains(wanted) }
  }

  /// The number of unread messages in all conversations that are not muted.
  public var unreadCount: Int {
    list.isLoaded
      ? conversations.reduce(0) { $0 + ($1.isMuted ? 0 : $1.unreadCount) } : storedUnreadCount.value
  }

  /// Sets or removes a setting, as ``setPinned(_:for:)``, ``setMuted(_:for:)`` and ``setMarkedUnread(_:for:)`` do.
  ///
  /// - Throws: ``ChatError`` if the conversation is unknown.
  public func set(
    _ setting: ConversationSetting, to isSet: Bool, for conversation: ConversationID
  ) async throws {
    try await change(conversation) { $0.set(setting, to: isSet) }
  }

  /// Pins a conversation above all unpinned conversations, or unpins it. If the server stores this setting
  /// (``ServerAbilities/settings``), it reaches the account's other devices as soon as the server can be reached; if the
  /// server refuses it, the server's value is shown again. Other servers don't learn it.
  public func setPinned(_ isPinned: Bool, for conversation: ConversationID) async throws {
    try await set(.pinned, to: isPinned, for: conversation)
  }

  /// Mutes a conversation, or lets it alert again. The other devices learn it as with ``setPinned(_:for:)``.
  public func setMuted(_ isMuted: Bool, for conversation: ConversationID) async throws {
    try await set(.muted, to: isMuted, for: conversation)
  }

  /// Marks a conversation as unread, or removes the mark (``Conversation/isMarkedUnread``). Reading the conversation
  /// removes the mark too. The other devices learn it as with ``setPinned(_:for:)``.
  public func setMarkedUnread(_ isMarkedUnread: Bool, for conversation: ConversationID) async throws {
    try await set(.markedUnread, to: isMarkedUnread, for: conversation)
  }

  /// Stores unsent text as the draft of a conversation. Empty text removes the draft.
  public func setDraft(_ draft: String, for conversation: ConversationID) async throws {
    try await change(conversation) { $0.draft = draft.isEmpty ? nil : draft }
  }

  /// Removes a conversation and its messages from this device; the next message lists the conversation again.
  ///
  /// The removed messages do not come back, and count as read on this device. If the server stores read
  /// marks, these messages also count as read on the account's other devices. The draft is removed, and the
  /// conversation is no longer marked as unread. It is unpinned, unless the server stores pins: then the conversation
  /// stays pinned, as on the other devices.
  ///
  /// Waiting messages are not removed, since they will still be sent. They keep the conversation in the list.
  public func delete(_ conversation: ConversationID) async throws {
    try await store.write(.powerCut) { try Clearing($0).deleteConversation(conversation) }
  }

  /// Leaves a group. Does nothing if the group is closed already. The group disappears from the list at once.
  /// Waiting messages become failed, or uncertain if the server may have them.
  ///
  /// The server and the other members are notified as soon as the server can be reached.
  ///
  /// - Throws: ``ChatError`` if the backend can't leave groups, or if the conversation is not a group.
  public func leave(_ conversation: ConversationID) async throws {
    guard store.capabilities.leaving else {
      throw ChatError(.backendUnsupported, "Groups of this server can't be left.")
    }
    try await store.write(.powerCut) { try ConversationEnds($0).leave(conversation) }
  }

  /// Accepts an invitation (``Conversation/invitation``). Does nothing if the invitation was accepted already. The
  /// conversation can be sent to at once; its messages appear when the server has confirmed that the account is a member.
  ///
  /// If the server refuses, the conversation is an invitation again, with ``Conversation/failure`` as the reason, and
  /// messages sent meanwhile have failed.
  ///
  /// - Throws: ``ChatError`` if the account is not invited to the conversation.
  public func accept(_ conversation: ConversationID) async throws {
    try await store.write(.powerCut) { try Invitations($0).accept(conversation) }
  }

  /// Declines an invitation (``Conversation/invitation``), which disappears from the list at once. Until the server has
  /// been informed, ``accept(_:)`` takes this back.
  ///
  /// If the server refuses, the invitation is listed again, with ``Conversation/failure`` as the reason.
  ///
  /// - Throws: ``ChatError`` if the backend can't decline invitations, or if the account is not invited to the
  ///   conversation.
  public func decline(_ conversation: ConversationID) async throws {
    guard store.capabilities.leaving else {
      throw ChatError(.backendUnsupported, "Invitations of this server can't be declined.")
    }
    try await store.write(.powerCut) { try Invitations($0).decline(conversation) }
  }

  private func change(
    _ conversation: ConversationID, _ body: @Sendable (inout ConversationRow) -> Void
  ) async throws {
    try await store.write(.kill) { try $0.change(conversation, body) }
  }
}

private struct StoredConversations: StoredListSource {
  /// The latest withheld part of each conversation, while the client starts.
  private var withheld: [ConversationID: StoreChanges.Part] = [:]
  private let unreadCount: StatePublisher<Int>

  init(unreadCount: StatePublisher<Int>) { self.unreadCount = unreadCount }

  func firstStored(in store: ChatStore, limit: Int) async throws -> [Conversation] {
    let (first, unread) = try await store.read { database in
      let first = try database.firstListedConversations(limit: limit).map { row in
        let last = try row.lastMessage.flatMap { try database.find(MessageRow.self, $0) }
        return row.conversation(lastMessage: last?.message(for: store.account, kinds: store.kinds))
      }
      return (first, try database.unreadCountOfListedConversations())
    }
    unreadCount.publish(unread)
    return first
  }

  func stored(in store: ChatStore) async throws -> [Conversation] {
    try await store.read { database in
      let last = Dictionary(try database.lastMessagesOfListedConversations().map { ($0.id, $0) }) { $1 }
      return try database.listedConversations().map { row in
        let last = row.lastMessage.flatMap { last[$0] }
        return row.conversation(lastMessage: last?.message(for: store.account, kinds: store.kinds))
      }
    }
  }

  mutating func step(for changes: StoreChanges) -> (inserting: [Conversation], deleting: [ConversationID])? {
    // A part that changes no displayed value does not replace the withheld part.
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
