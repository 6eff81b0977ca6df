/// Receives the events of a push channel; returns when the event is on disk or certain to be fetched. A named type,
/// so that a backend can be written in a module with any concurrency settings.
public typealias BackendReceiver = @concurrent @Sendable (BackendEvent) async -> Void

/// An event of the push channel.
public enum BackendEvent: Sendable, Hashable {
  /// The channel is open.
  case connected
  /// Something new can be fetched.
  case poke
  /// Something new, delivered with the event.
  case batch(SyncBatch)
  /// A user types in a conversation, or has stopped typing. The event may be lost.
  case typing(ConversationRef, UserID, isTyping: Bool)
  /// A user comes online or goes offline. Once the channel is open, the server reports every user who is online and visible to
  /// this account; `ChatClient.presence(of:)` is nil for a user that was never reported. A backend may also report users who
  /// are offline, after ``connected``, with ``Presence/lastSeen`` where the server provides it.
  case presence(UserID, Presence)
  /// The server has ended this session.
  case signedOut(reason: String)
}
