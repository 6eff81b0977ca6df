/// Receives the events of a push channel; returns when the content of the event is on disk, or is certain to be
/// fetched later. The alias states `@concurrent`, so the type is the same under all concurrency settings.
public typealias BackendReceiver = @concurrent @Sendable (BackendEvent) async -> Void

/// An event of the push channel.
public enum BackendEvent: Sendable, Hashable {
  /// The channel is open.
  case connected
  /// The server has news, which ``ChatBackend/sync(since:limit:)`` returns.
  case poke
  /// The server's news, delivered with the event.
  case batch(SyncBatch)
  /// A user types in a conversation, or has stopped typing. The event may be lost.
  case typing(ConversationRef, UserID, isTyping: Bool)
  /// A user comes online or goes offline. After ``connected``, the backend reports every user who is online
  /// and visible to this account. The backend may also report users who are offline, with
  /// ``Presence/lastSeen`` if the server provides this time. `ChatClient.presence(of:)` is nil for a user who
  /// was not reported since the channel opened.
  case presence(UserID, Presence)
  /// The server has ended this session.
  case signedOut(reason: String)
}
