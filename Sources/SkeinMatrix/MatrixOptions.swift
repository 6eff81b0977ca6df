import SkeinTransport

/// The time limits and the choices of ``MatrixBackend`` and ``MatrixAccounts``.
public struct MatrixOptions: Sendable {
  /// The deadline of a call. Downloads, uploads and long polls have no deadline, only the idle timeout.
  public var deadline: Duration = .seconds(60)
  /// The longest time for connecting, and the longest time for which a call may transfer no byte in either
  /// direction.
  public var idleTimeout: Duration = .seconds(30)
  /// The time after which the homeserver answers a long poll without news. A broken connection is noticed at most
  /// this time plus ``idleTimeout`` later.
  public var pollTimeout: Duration = .seconds(25)
  /// The time between an answer to a long poll and the next poll. While messages stream in, one answer then has several of
  /// them, which costs the homeserver less than an answer for each. News within this time after an answer waits for the rest
  /// of it.
  public var pollPause: Duration = .milliseconds(250)
  /// The maximum length of an answer in bytes, except for downloads.
  public var maximumAnswerSize = 64 << 20
  /// The maximum number of messages in one conversation in a batch of the push channel.
  public var pushLimit = 100
  /// Whether invitations to rooms are accepted at once, whoever invites the account. If false, the user answers them.
  public var acceptsInvitations = false
  /// Whether the other members learn how far this account has read.
  public var sendsReadReceipts = true
  /// Whether pages of history contain the reactions of their messages, at the cost of one call for each message.
  /// If false, reactions arrive with the syncs that report them.
  public var fetchesReactionsOfPages = false
  /// Whether a room's count of notifications is returned as its number of unread messages. The count is right if the
  /// account has no push rules of its own: a muted room, for example, has no notifications.
  public var countsNotifications = false
  /// The number of members up to which a room's members are fetched.
  public var largestMemberList = 100
  /// The maximum number of calls that one sync or one page makes at the same time.
  public var concurrentCalls = 8

  /// Creates options with the default values.
  public init() {}

  /// A transport with these limits.
  ///
  /// - Parameter wait: the time for which the homeserver may transfer nothing until there is news.
  func transport(waiting wait: Duration = .zero) -> any HTTPTransport {
    var options = TransportOptions()
    options.idleTimeout = wait + idleTimeout
    options.maximumAnswerSize = maximumAnswerSize
    return .system(options)
  }
}
