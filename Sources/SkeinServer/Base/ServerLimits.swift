/// Limits on what clients may send and request; sizes in bytes.
public struct ServerLimits: Sendable {
  /// The largest JSON body, and the largest frame on a socket.
  public var body = 1 << 20
  /// The largest content of a message; the JSON that carries it must fit into ``body``.
  public var content = 256 << 10
  /// The largest uploaded file.
  public var media = 64 << 20
  /// The most incomplete uploads of one user, at least 1; a further upload removes the oldest.
  public var uploads = 32
  /// The longest time for copying a third party's file, in whole seconds.
  public var copySeconds = 30
  /// The most bytes of messages in one response, at least 1. A response may exceed this limit by one message, and a
  /// sync also by one revised message.
  public var page = 4 << 20
  /// The most unanswered messages of one socket, at least 1. At this number, the server answers a message before it
  /// accepts the next one.
  public var socketSends = 32
  /// The most open connections, WebSockets included.
  public var connections = 10_000
  /// The limit for failed sign-ins of one user from one address.
  public var signIns = RateLimit(burst: 10, interval: 6_000)
  /// The limit for failed sign-ins and new accounts from one address.
  public var address = RateLimit(burst: 100, interval: 1_000)
  /// The largest size of the database, in pages of 4 KiB; nil if only the disk limits it.
  public var databasePages: Int?

  /// The limits of a small team's server.
  public init() {}
}

/// A number of attempts that are allowed at once, and then one in each interval.
public struct RateLimit: Sendable, Equatable {
  /// The number of attempts at once, from 1 to a million.
  public var burst: Int
  /// In milliseconds: at least 1, at most a day.
  public var interval: Int64

  /// Makes a limit.
  public init(burst: Int, interval: Int64) {
    self.burst = burst
    self.interval = interval
  }
}

/// The cost of an Argon2id hash of a password; each guess at the password costs as much.
public struct PasswordCost: Sendable, Equatable {
  /// The number of passes over the memory.
  public var operations: UInt64
  /// In bytes.
  public var memory: Int

  /// About a tenth of a second and 64 MiB.
  public static let interactive = PasswordCost(operations: 2, memory: 64 << 20)
  /// The library's minimum, for tests.
  public static let minimum = PasswordCost(operations: 1, memory: 8 << 10)
}
