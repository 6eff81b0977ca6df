#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The address, the folder and the limits of a server.
public struct ServerOptions: Sendable {
  /// The numeric address to listen on.
  public var host = "127.0.0.1"
  /// The port to listen on; 0 chooses a free port.
  public var port = 0
  /// The folder of the database and the media. The server creates the folder if it does not exist.
  public var folder: URL
  /// Whether the server begins a new epoch when it starts. Set this to true only for the first start after a
  /// backup was restored. Clients then discard the cursors and positions of the lost history.
  public var beginsEpoch = false
  /// Limits on what clients may send and request.
  public var limits = ServerLimits()
  /// How long a token is valid after sign-in or renewal: whole seconds, at most a thousand years.
  public var tokenLifetime: Duration = .seconds(24 * 3600)
  /// How long a session can be renewed after sign-in or the last renewal: whole seconds, at most a thousand years.
  public var sessionLifetime: Duration = .seconds(90 * 24 * 3600)
  /// The cost of hashing one password.
  public var passwordCost = PasswordCost.interactive
  /// The server's time.
  public var clock = ServerClock.system
  /// Whether clients may copy files from loopback addresses, at any port. For tests only: every client can
  /// then reach the services on the server's machine.
  public var allowsLoopbackCopies = false
  /// Receives a record of each HTTP request when the response is ready to be sent. Not called for WebSockets,
  /// or for requests that are refused before routing, such as malformed requests. Nil by default.
  public var log: (@Sendable (RequestRecord) -> Void)?
  /// Receives each internal failure as one line without secrets.
  public var report: @Sendable (String) -> Void = ServerOptions.standardError

  /// A server on a free port of this machine, with its data in `folder`.
  public init(folder: URL) { self.folder = folder }

  /// Writes a line to standard error.
  public static let standardError: @Sendable (String) -> Void = { line in
    // A failure of this call can't be reported anywhere.
    try? FileDescriptor.standardError.append(Array((line + "\n").utf8))
  }
}
