import SkeinStorage

/// The data engine behind one message list: what is loaded of a conversation, how it changes, and a way to send.
///
/// 1. It has no screen and no rules of any business; one-to-one, group and temporary chats are the same to it.
/// 2. ``messages`` reads from any isolation and costs nothing; applying each change of ``changes`` to the list before
///    it gives the list after it.
/// 3. Between two neighbours of the list lies nothing on the server, or a ``MessageListItem/gap(_:)`` stands there.
/// 4. The list is a window that opens at the newest messages and holds no more than ``ChatOptions/windowSize``: it grows
///    at either end and loses what is farthest from what came. Only while it stands at the newest message does it take
///    in new ones, one's own among them; an app that shows older ones jumps back for that: ``jumpToNewest()``.
///
/// ```swift
/// let chat = client.context(for: conversation)
/// try await chat.messenger.send(TextContent("Hello"))
/// for await update in chat.changes { show(update.snapshot, update.change) }
/// ```
public final class ChatContext: Sendable {
  /// The conversation it shows.
  public let conversation: ConversationID
  /// Sends to the conversation.
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
    subscription = store.feed.subscribe { [inbox = timeline.inbox] changes in
      if changes.parts.contains(where: { $0.conversation == conversation }) { inbox.add(changes) }
    }
    following = store.runtime.spawn { await timeline.run() }
  }

  deinit { close() }

  /// Ends every loop over ``changes``; the list stays as it is.
  func close() {
    store.feed.unsubscribe(subscription)
    following.cancel()
    timeline.publisher.close()
    timeline.receipts.close()
    timeline.pinned.close()
  }

  /// The server's time now, as ``ChatClient/now``.
  public var now: Timestamp { store.clock.now }

  /// The loaded window as it is now, oldest message first.
  public var messages: MessageList { timeline.publisher.snapshot }

  /// The steps by which ``messages`` changes; each loop over it is a listener of its own.
  public var changes: ListUpdates<MessageListItem> { timeline.publisher.updates(of: self) }

  /// How one's own message of the loaded window stands; nil for a message that is not in it.
  public func sendState(of id: LocalMessageID) -> SendState? {
    guard let message = messages.first(where: { $0.message?.id == id })?.message, message.isOwn else {
      return nil
    }
    let end = SendState(endOf: message.status, message.failure)
    return end ?? messenger.outbox.status.value.state(of: id) ?? .queued
  }

  /// How far the others in the chat have got its messages, and read them.
  public var receipts: Receipts { timeline.receipts.value }

  /// How far the others are, now and whenever that changes.
  public var receiptUpdates: AsyncStream<Receipts> { timeline.receipts.updates }

  /// What is pinned for everybody in the chat, whether the message is here or not, the latest pin first.
  public var pinnedMessages: [PinnedMessage] { timeline.pinned.value }

  /// What is pinned, now and whenever that changes.
  public var pinnedMessageUpdates: AsyncStream<[PinnedMessage]> { timeline.pinned.updates }

  /// Who of the others is typing now, sorted; nobody where the server does not tell, nor where another process has the
  /// connection. Nothing of it is stored.
  public var typists: [UserID] { typing.typists[conversation].value }

  /// Who is typing, now and whenever that changes.
  public var typistUpdates: AsyncStream<[UserID]> { typing.typists[conversation].updates }

  /// This account types: the others in the chat see it for a few seconds. To be called at each letter; returns at once, and
  /// tells no more often than is needed, and nothing where another process has the connection.
  public func noteTyping() {
    _ = store.runtime.spawn { [typing, conversation] in await typing.typed(in: conversation) }
  }

  /// Whether the database or the server may have messages before the window.
  public var hasMorePreviousMessages: Bool { timeline.reach.value.hasPrevious }

  /// Whether the database or the server may have messages after the window; false where it stands at the newest one.
  public var hasMoreNextMessages: Bool { timeline.reach.value.hasNext }

  /// Loads the newest stored messages, if that has not happened yet; a context does so by itself when it is made.
  ///
  /// - Throws: `StorageError` if the database can't be read.
  public func open() async throws { try await timeline.open() }

  /// Lets the window grow by one page of older messages, from the database or, at the edge of a gap, from the server.
  ///
  /// - Throws: ``BackendError`` if the server was needed and did not answer, or told nothing new; the window is then as
  ///   it was. A gap of which the server tells nothing new three times is ``MessageGap/State/stalled`` from then on.
  public func fetchMorePreviousMessages() async throws { try await timeline.grow(.older) }

  /// Lets the window grow by one page of newer messages, in the same way; at the newest message it does nothing. Where the
  /// server can't be asked for what follows a message (``BackendCapabilities/history``), a gap is filled from its newer side:
  /// the window grows once the gap is filled, and until then ``hasMoreNextMessages`` says that there is more.
  ///
  /// - Throws: ``BackendError`` if the server was needed and did not answer, or told nothing new.
  public func fetchMoreNextMessages() async throws { try await timeline.grow(.newer) }

  /// Lets the window grow page by page until it holds a message older than a moment, or everything there is.
  ///
  /// What goes beyond ``ChatOptions/windowSize`` leaves the window at its newer end.
  ///
  /// - Throws: ``BackendError`` if the server was needed and did not answer; the window holds what came before that.
  ///   `CancellationError` if a jump moved the window meanwhile.
  public func fetchPreviousMessages(backTo time: Timestamp) async throws {
    try await timeline.loadOldMessages(backTo: time)
  }

  /// Asks the server for the newest messages, without waiting for a push or for the next time that the client asks.
  ///
  /// - Throws: ``BackendError`` if the server did not answer.
  public func fetchNewMessages() async throws { try await timeline.loadNewMessages() }

  /// Puts the window around a stored message, a page in all.
  ///
  /// - Throws: ``ChatError`` if the conversation has no such message, `CancellationError` if a later jump took its place;
  ///   the window is then where it was.
  public func jump(to message: LocalMessageID) async throws {
    try await timeline.jump { try await $0.loadMessages(around: message, limit: $1, passing: $2) }
  }

  /// Puts the window around a message by the server's name for it: from the database, or fetched from the server, and
  /// then there is a gap on both sides of what came, unless it meets what is known.
  ///
  /// - Throws: ``ChatError`` if the message is not stored and the backend can't be asked for it
  ///   (``BackendCapabilities/history``), ``BackendError`` if the server did not answer or has no such message,
  ///   `CancellationError` if a later jump took its place; the window is then where it was.
  public func jump(to message: ServerMessageID) async throws {
    try await timeline.jump { try await $0.loadMessages(around: message, limit: $1, passing: $2) }
  }

  /// Puts the window around the first message that is not older than a moment, or at the newest one.
  ///
  /// - Throws: ``BackendError`` if the server was needed and did not answer, `CancellationError` if a later jump took its
  ///   place; the window is then where it was.
  public func jump(to time: Timestamp) async throws {
    try await timeline.jump { try await $0.loadMessages(around: time, limit: $1, passing: $2) }
  }

  /// Puts the window at the newest messages that are stored, unless it stands there.
  public func jumpToNewest() async throws { try await timeline.jumpToNewest() }

  /// Fetches a page of the messages that a gap stands for, the newest ones first; when it returns, they are in the list.
  ///
  /// - Throws: ``BackendError`` if the server did not answer or told nothing new, ``ChatError`` if it does not have the
  ///   messages any more; the gap is then as it was.
  public func fill(_ gap: MessageGap) async throws { try await timeline.fill(gap) }

  /// Counts everything that is stored as read, here at once and on the server when it can be reached.
  public func markRead() async throws {
    let tellsServer = tellsServer
    try await store.write(.kill) { [conversation] in
      try ConversationBook($0).markRead(conversation, tellsServer: tellsServer)
    }
  }

  /// Deletes messages from this device, one's own or received; they do not come back, and others keep them.
  ///
  /// One that is still on its way is taken back, as by ``ChatMessenger/cancel(_:)``; where it may have arrived already, others
  /// may get it. Files that were fetched for a message stay on the disk until there is no room for them
  /// (``ChatOptions/mediaCacheSize``).
  public func delete(_ messages: [LocalMessageID]) async throws {
    let gone = try await store.write(.powerCut) { try Clearing($0).delete(messages) }
    for message in gone { messenger.preparation.discardCopies(of: message) }
  }

  /// Deletes every message of the conversation from this device, except those still to be sent; they do not come back, and
  /// count as read on all devices.
  public func clearAllMessages() async throws {
    try await store.write(.powerCut) { [conversation] in try Clearing($0).clear(conversation) }
  }
}
