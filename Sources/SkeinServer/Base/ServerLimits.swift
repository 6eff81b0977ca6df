/// Limits on what clients may send and request; sizes in bytes.
public struct ServerLimits: Sendable {
  /// The largest JSON body, and the largest message on a socket.
  public var body = 1 << 20
  /// The largest content of a message, parameters and mentions included. The JSON of the request must fit
  /// into ``body``.
  public var content = 256 << 10
  /// The largest uploaded or copied file.
  public var media = 64 << 20
  /// The maximum number of incomplete uploads of one user, at least 1; a further upload removes the oldest
  /// upload. An upload that a request is working on is not removed, and may exceed the maximum.
  public var uploads = 32
  /// The longest time for copying a third party's file, in whole seconds.
  public var copySeconds = 30
  /// The maximum size of the messages in one response, at least 1. The size of a message is the size of its
  /// content, parameters, reactions and mentions. A response may exceed this limit by one message, and a sync
  /// also by one revised message.
  public var page = 4 << 20
  /// The maximum number of unanswered messages of one socket, at least 1. At this number, the server answers
  /// a message before it accepts the next message.
  public var socketSends = 32
  /// The maximum number of open connections, WebSockets included; at most the process's limit of open files when the
  /// server starts, less 256.
  public var connections = 10_000
  /// The limit for failed sign-ins of one user from one address.
  public var signIns = RateLimit(burst: 10, interval: 6_000)
  /// The limit for failed sign-ins and for attempts to create an account, from one address.
  public var address = RateLimit(burst: 100, interval: 1_000)
  /// The largest size of the database, in pages of 4 KiB; nil if only the disk limits the size.
  public var databasePages: Int?

  /// The limits of a small team's server.
  public init() {}
}

/// A number of attempts that are allowed at once. After these attempts, one attempt is allowed in each interval.
public struct RateLimit: Sendable, Equatable {
  /// The number of attempts at once, from 1 to a million.
  public var burst: Int
  /// The interval in milliseconds: at least 1, at most 86,400,000 (a day).
  public var interval: Int64

  /// Makes a limit.
  public init(burst: Int, interval: Int64) {
    self.burst = burst
    self.interval = interval
  }
}

/// The cost of an Argon2id hash of a password; each guess at the password has the same cost.
public struct PasswordCost: Sendable, Equatable {
  /// The number of passes over the memory.
  public var operations: UInt64
  /// The size of the memory in bytes.
  public var memory: Int

  /// About a tenth of a second and 64 MiB.
  public static let interactive = PasswordCost(operations: 2, memory: 64 << 20)
  /// The library's minimum, for tests.
  public static let minimum = PasswordCost(operations: 1, memory: 8 << 10)
}
