#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Where a server listens, where it keeps its data, and what it lets its clients do.
public struct ServerOptions: Sendable {
  /// The address to listen on.
  public var host = "127.0.0.1"
  /// The port to listen on; 0 takes a free one.
  public var port = 0
  /// Holds the database and the media; made if there is none.
  public var folder: URL
  /// Whether the start begins a new epoch: to be set once after a backup was restored, so that clients don't take what
  /// comes for what they have heard of before.
  public var beginsEpoch = false
  /// What clients may ask for.
  public var limits = ServerLimits()
  /// How long a token is good, from sign-in or renewal: whole seconds, at most a thousand years.
  public var tokenLifetime: Duration = .seconds(24 * 3600)
  /// How long a session can be renewed, from sign-in or the last renewal: whole seconds, at most a thousand years.
  public var sessionLifetime: Duration = .seconds(90 * 24 * 3600)
  /// What hashing one password costs.
  public var passwordCost = PasswordCost.interactive
  /// The server's time.
  public var clock = ServerClock.system
  /// Lets clients have files of this machine copied, from any port: for tests, and a hole in any other server.
  public var allowsLoopbackCopies = false
  /// Hears of each request once it is answered; nobody, unless set.
  public var log: (@Sendable (RequestRecord) -> Void)?
  /// Hears of each failure of the server's own, one line without secrets.
  public var report: @Sendable (String) -> Void = ServerOptions.standardError

  /// A server on a free port of this machine, with its data in `folder`.
  public init(folder: URL) { self.folder = folder }

  /// Writes a line to standard error.
  public static let standardError: @Sendable (String) -> Void = { line in
    // Nobody is left to hear that this failed.
    try? FileDescriptor.standardError.append(Array((line + "\n").utf8))
  }
}

/// What clients may ask for; sizes in bytes.
public struct ServerLimits: Sendable {
  /// Of a JSON body, and of a socket's frame.
  public var body = 1 << 20
  /// Of a message's content; the JSON that carries it must fit into ``body``.
  public var content = 256 << 10
  /// Of an uploaded file.
  public var media = 64 << 20
  /// Uploads of one user that are not complete; the oldest make way for more. A number, at least 1.
  public var uploads = 32
  /// How long copying a file of somebody else's may take; in whole seconds.
  public var copySeconds = 30
  /// Of the messages' contents in one answer, which may hold one message more than fits. At least 1.
  public var page = 4 << 20
  /// Messages of one socket that are not answered yet; what comes after them waits unread.
  public var socketSends = 32
  /// Open connections, WebSockets among them.
  public var connections = 10_000
  /// Failed sign-ins of one user from one address.
  public var signIns = RateLimit(burst: 10, interval: 6_000)
  /// Failed sign-ins and new accounts from one address.
  public var address = RateLimit(burst: 100, interval: 1_000)
  /// Of the database, in pages of 4 KiB; no limit but the disk's if nil.
  public var databasePages: Int?

  /// The limits of a small team's server.
  public init() {}
}

/// A number of attempts at once, and then one each interval.
public struct RateLimit: Sendable, Equatable {
  /// Attempts at once, 1 to a million.
  public var burst: Int
  /// In milliseconds, 1 to a day.
  public var interval: Int64

  /// A limit of these parts.
  public init(burst: Int, interval: Int64) {
    self.burst = burst
    self.interval = interval
  }
}

/// What an Argon2id hash of a password costs, so that guessing costs as much.
public struct PasswordCost: Sendable, Equatable {
  /// Passes over the memory.
  public var operations: UInt64
  /// In bytes.
  public var memory: Int

  /// About a tenth of a second and 64 MiB.
  public static let interactive = PasswordCost(operations: 2, memory: 64 << 20)
  /// As little as the library allows: for tests.
  public static let minimum = PasswordCost(operations: 1, memory: 8 << 10)
}

/// The server's time, which tests turn by hand.
public struct ServerClock: Sendable {
  /// Milliseconds since 1970.
  public var now: @Sendable () -> Int64
  /// Returns when ``now`` has reached a time; throws when its task is cancelled.
  public var sleep: @Sendable (_ until: Int64) async throws -> Void

  /// A clock of these parts.
  public init(
    now: @escaping @Sendable () -> Int64, sleep: @escaping @Sendable (_ until: Int64) async throws -> Void
  ) {
    self.now = now
    self.sleep = sleep
  }

  /// The system's clock. A sleep looks at it once an hour, in case it was set.
  public static let system = ServerClock(
    now: systemNow,
    sleep: { time in
      while case let left = time - systemNow(), left > 0 {
        try await Task.sleep(for: .milliseconds(min(left, 3_600_000)))
      }
    })

  private static let systemNow: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1000) }
}

/// One answered request, for a log: never a token, a name or a content.
public struct RequestRecord: Sendable, CustomStringConvertible {
  /// The HTTP method; empty for one the protocol doesn't have.
  public let method: String
  /// The route's pattern, with `{}` for each value; empty if there is no such route.
  public let pattern: String
  /// The answer's HTTP status.
  public let status: Int
  /// How long the answer took to make.
  public let duration: Duration

  /// One line: method, pattern, status and milliseconds.
  public var description: String {
    let (seconds, attoseconds) = duration.components
    return "\(method) \(pattern) \(status) \(seconds * 1000 + attoseconds / 1_000_000_000_000_000) ms"
  }
}
