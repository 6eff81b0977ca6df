import SkeinStorage

/// The data engine behind one message list: the loaded messages of a conversation, their changes, and sending.
///
/// 1. A context depends on no screen and no app rules. One-to-one, group and temporary chats are treated
///    alike.
/// 2. ``messages`` can be read from any isolation at no cost. Each element of ``changes`` leads from the
///    previous list to the next list.
/// 3. Where messages may be missing between two messages, the list shows a ``MessageListItem/gap(_:)``. There
///    is one exception: until the next sync, messages of others may be missing before an own message that was
///    just sent.
/// 4. The list is a window that opens at the newest messages and holds at most ``ChatOptions/windowSize``
///    messages. When the window is extended at one end, excess messages are dropped at the other end. New
///    messages, including own messages, are added only while the window is at the newest message. Call
///    ``jumpToNewest()`` to return from older messages.
///
/// ```swift
/// let chat = client.context(for: conversation)
/// try await chat.messenger.send(TextContent("Hello"))
/// for await update in chat.changes { show(update.snapshot, update.change) }
/// ```
public final class ChatContext: Sendable {
  /// The conversation that the list shows.
  public let conversation: ConversationID
  /// Sends messages to the conversation.
  public let messenger: ChatMessenger
  private let timeline: ChatTimeline
  private let store: ChatStore
  private let following: Task<Void, any Error>
  private let subscription: ChangeFeed.Subscription
  private let tellsServer: Bool
  private let typing: Typing

  init(
    conversation: ConversationID, store: ChatStore, backend: any ChatBackend, messenger: ChatMessenger,
    typing: Typing, pageSize: Int, windowSize: Int
  ) {
    self.conversation = conversation
    self.messenger = messenger
    self.store = store
    self.typing = typing
    tellsServer = backend.capabilities.readMarks != nil
    let timeline = ChatTimeline(
      conversation: conversation, store: store, backend: backend, pageSize: pageSize,
      windowSize: windowSize)
    self.timeline = timeline
    subscription = store.feed.subscribe(
      listOf: conversation,
      { [inbox = timeline.inbox] changes in
        if changes.parts.contains(where: { $0.conversation == conversation }) { inbox.add(changes) }
      },
      update: { await timeline.refresh() })
    following = store.runtime.spawn { await timeline.run() }
  }

  deinit { close() }

  /// Ends every loop over ``changes``; the list does not change any more.
  func close() {
    store.feed.unsubscribe(subscription)
    following.cancel()
    timeline.publisher.close()
    timeline.receipts.close()
    timeline.pinned.close()
  }

  /// The server's time; see ``ChatClient/now``.
  public var now: Timestamp { store.clock.now }

  /// The loaded window, oldest message first.
  public var messages: MessageList { timeline.publisher.snapshot }

  /// The changes of ``messages``; each loop over the changes is a listener of its own.
  public var changes: ListUpdates<MessageListItem> { timeline.publisher.updates(of: self) }

  /// The send state of an own message in the loaded window; nil for any other message.
  public func sendState(of id: LocalMessageID) -> SendState? {
    guard let message = messages.first(where: { $0.message?.id == id })?.message, message.isOwn else {
      return nil
    }
    let end = SendState(endOf: message.status, message.failure)
    return end ?? messenger.outbox.status.value.state(of: id) ?? .queued
  }

  /// For each other member, the last message received and the last message read.
  public var receipts: Receipts { timeline.receipts.value }

  /// The receipts, now and on every change.
  public var receiptUpdates: AsyncStream<Receipts> { timeline.receipts.updates }

  /// The messages pinned for everybody in the chat, stored here or not, the latest pin first.
  public var pinnedMessages: [FlaggedMessage] { timeline.pinned.value }

  /// The pinned messages, now and on every change.
  public var pinnedMessageUpdates: AsyncStream<[FlaggedMessage]> { timeline.pinned.updates }

  /// The other members who are typing now, sorted; empty while the client is stopped, if the server does not
  /// report typing, or if another process has the connection. This value is not stored.
  public var typists: [UserID] { typing.typists[conversation].value }

  /// The typing members, now and on every change.
  public var typistUpdates: AsyncStream<[UserID]> { typing.typists[conversation].updates }

  /// Reports that this account is typing; the other members see this for a few seconds. Call this method at
  /// each letter: the method returns at once, and limits the number of reports. The method does nothing while
  /// the client is stopped, if the server does not report typing, or if another process has the connection.
  public func noteTyping() {
    _ = store.runtime.spawn { [typing, conversation] in await typing.typed(in: conversation) }
  }

  /// Whether the database or the server may have messages before the window.
  public var hasMorePreviousMessages: Bool { timeline.reach.value.hasPrevious }

  /// Whether the database or the server may have messages after the window; false at the newest message.
  public var hasMoreNextMessages: Bool { timeline.reach.value.hasNext }

  /// Loads the newest stored messages, unless a page is already loaded. A new context does this by itself.
  ///
  /// - Throws: `StorageError` if the database can't be read, ``ChatError`` if the conversation is unknown.
  public func open() async throws { try await timeline.open() }

  /// Extends the window by one page of older messages, from the database or, at the edge of a gap, from the server.
  ///
  /// - Throws: ``BackendError`` if the server was needed and did not answer, or returned nothing new; the
  ///   window is unchanged. After at most three requests that returned nothing new, the gap becomes
  ///   ``MessageGap/State/stalled``. The window is then extended beyond the gap, and no error is thrown.
  public func fetchMorePreviousMessages() async throws { try await timeline.grow(.older) }

  /// Extends the window by one page of newer messages, like ``fetchMorePreviousMessages()``. Does nothing at
  /// the newest message.
  ///
  /// Some servers can't return the messages after a given message (``BackendCapabilities/history``). With
  /// such a server, a gap is filled from its newer side: the window is extended only after the gap is filled,
  /// and ``hasMoreNextMessages`` is true until then.
  ///
  /// - Throws: ``BackendError`` if the server was needed and did not answer, or returned nothing new.
  public func fetchMoreNextMessages() async throws { try await timeline.grow(.newer) }

  /// Extends the window page by page, until the window contains a message older than a given time, or no
  /// older messages can be loaded.
  ///
  /// Messages beyond ``ChatOptions/windowSize`` are dropped at the newer end of the window.
  ///
  /// - Throws: ``BackendError`` if the server was needed and did not answer, or returned nothing new; the
  ///   window keeps the pages loaded before. `CancellationError` if the window was moved meanwhile, for
  ///   example by a jump, or if the task is cancelled.
  public func fetchPreviousMessages(backTo time: Timestamp) async throws {
    try await timeline.loadOldMessages(backTo: time)
  }

  /// Fetches the newest messages from the server, without waiting for a push or the next poll.
  ///
  /// - Throws: ``BackendError`` if the server did not answer.
  public func fetchNewMessages() async throws { try await timeline.loadNewMessages() }

  /// Moves the window to a page around a stored message.
  ///
  /// - Throws: ``ChatError`` if the conversation has no such message, or if the message was deleted on this
  ///   device; `CancellationError` if a later jump replaced this jump. The window is unchanged.
  public func jump(to message: LocalMessageID) async throws {
    try await timeline.jump { try await $0.loadMessages(around: message, limit: $1, passing: $2) }
  }

  /// Moves the window to the message with a server id. If the message is not stored, a page around the
  /// message is fetched from the server. The list shows a gap on each side where the fetched page does not
  /// adjoin stored messages.
  ///
  /// - Throws: ``ChatError`` if the message was deleted on this device, or if the message is not stored and
  ///   the backend can't return history around a message (``BackendCapabilities/history``). ``BackendError``
  ///   if the server did not answer or has no such message. `CancellationError` if a later jump replaced this
  ///   jump. The window is unchanged.
  public func jump(to message: ServerMessageID) async throws {
    try await timeline.jump { try await $0.loadMessages(around: message, limit: $1, passing: $2) }
  }

  /// Moves the window to the first message that is not older than a given time, or to the newest message if
  /// all messages are older.
  ///
  /// - Throws: ``BackendError`` if the server was needed and did not answer, or returned nothing new;
  ///   `CancellationError` if a later jump replaced this jump. The window is unchanged.
  public func jump(to time: Timestamp) async throws {
    try await timeline.jump { try await $0.loadMessages(around: time, limit: $1, passing: $2) }
  }

  /// Moves the window to the newest stored messages, unless the window is already there.
  public func jumpToNewest() async throws { try await timeline.jumpToNewest() }

  /// Fetches the newest page of a gap's messages. When this method returns, the messages are stored, and the
  /// messages within the window are in the list.
  ///
  /// - Throws: ``BackendError`` if the server did not answer or returned nothing new, ``ChatError`` if the
  ///   server no longer has the messages. The gap stays.
  public func fill(_ gap: MessageGap) async throws { try await timeline.fill(gap) }

  /// Marks all messages up to the newest received message as read: on this device at once and, if the server stores
  /// read marks, on the server as soon as it can be reached.
  public func markRead() async throws {
    let tellsServer = tellsServer
    try await store.write(.kill) { [conversation] in
      try ConversationBook($0).markRead(conversation, tellsServer: tellsServer)
    }
  }

  /// Deletes messages, sent or received, from this device only; they do not come back.
  ///
  /// A message that is still to be sent is cancelled, as by ``ChatMessenger/cancel(_:)``. If the message may
  /// have arrived already, other members may receive the message. Files fetched for a message stay on the
  /// disk until their space is needed (``ChatOptions/mediaCacheSize``).
  public func delete(_ messages: [LocalMessageID]) async throws {
    let gone = try await store.write(.powerCut) { try Clearing($0).delete(messages) }
    for message in gone { await messenger.preparation.discardCopies(of: message) }
    await timeline.refresh()
  }

  /// Deletes the messages of the conversation from this device. Messages that are still to be sent stay.
  ///
  /// The deleted messages do not come back. They count as read on this device and, if the server stores read marks, on
  /// the account's other devices.
  public func clearAllMessages() async throws {
    try await store.write(.powerCut) { [conversation] in try Clearing($0).clear(conversation) }
    await timeline.refresh()
  }
}
