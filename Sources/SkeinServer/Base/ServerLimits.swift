/// Limits on what clients may send and request; sizes in bytes.
public struct ServerLimits: Sendable {
  /// Of a JSON body, and of a socket's frame.
  public var body = 1 << 20
  /// Of a message's content; the JSON that carries it must fit into ``body``.
  public var content = 256 << 10
  /// Of an uploaded file.
  public var media = 64 << 20
  /// Incomplete uploads of one user, at least 1; a new one beyond that removes the oldest.
  public var uploads = 32
  /// How long copying a third party's file may take, in whole seconds.
  public var copySeconds = 30
  /// Of the message contents in one response, at least 1; the response may exceed it by one message.
  public var page = 4 << 20
  /// Unanswered messages of one socket; the server reads no further frame until one is answered.
  public var socketSends = 32
  /// Open connections, WebSockets included.
  public var connections = 10_000
  /// Failed sign-ins of one user from one address.
  public var signIns = RateLimit(burst: 10, interval: 6_000)
  /// Failed sign-ins and new accounts from one address.
  public var address = RateLimit(burst: 100, interval: 1_000)
  /// Of the database, in pages of 4 KiB; nil for no limit but the disk's.
  public var databasePages: Int?

  /// The limits of a small team's server.
  public init() {}
}

/// A number of attempts at once, and then one in each interval.
public struct RateLimit: Sendable, Equatable {
  /// Attempts at once, 1 to a million.
  public var burst: Int
  /// In milliseconds, 1 to a day.
  public var interval: Int64

  /// Makes a limit.
  public init(burst: Int, interval: Int64) {
    self.burst = burst
    self.interval = interval
  }
}

/// The cost of an Argon2id hash of a password; guessing a password costs as much for each guess.
public struct PasswordCost: Sendable, Equatable {
  /// Passes over the memory.
  public var operations: UInt64
  /// In bytes.
  public var memory: Int

  /// About a tenth of a second and 64 MiB.
  public static let interactive = PasswordCost(operations: 2, memory: 64 << 20)
  /// The library's minimum, for tests.
  public static let minimum = PasswordCost(operations: 1, memory: 8 << 10)
}
