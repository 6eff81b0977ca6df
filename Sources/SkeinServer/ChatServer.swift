import SkeinSockets
import SkeinStorage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The reference server: accounts, conversations, messages and media behind one port, in one folder.
///
/// 1. An acknowledged change survives a power cut. Receipts, read marks and new sessions are exceptions: they
///    survive a crash of the process, but a power cut may undo them; clients that have received them still
///    receive every later change. The positions of a conversation are dense, and no position is used twice in
///    an epoch.
/// 2. A message that is posted again is stored once, however late the repetition is.
/// 3. Users can read, change and discover only their own conversations.
/// 4. No request can stop the server.
public final class ChatServer: Sendable {
  private let database: Database
  private let sockets: SocketServer

  private init(_ database: Database, _ sockets: SocketServer) {
    self.database = database
    self.sockets = sockets
  }

  /// The port that the server listens on.
  public var port: Int { sockets.port }

  /// Opens the folder's database, or creates it if needed, and serves it until ``stop()``.
  ///
  /// A file that is not a SQLite database, or that has a newer version, stays unchanged.
  ///
  /// - Throws: A `StorageError` if the database can't be opened, a `SocketError` if the address or the port
  ///   is not available, the system's error if the folder can't be created, or an internal error if there is
  ///   too little memory to hash a password.
  public static func start(_ options: ServerOptions) async throws -> ChatServer {
    let mediaFolder = try MediaFolder(options.folder.appending(path: "media", directoryHint: .isDirectory))
    let uploads = try UploadFolder(
      options.folder.appending(path: "media/uploads", directoryHint: .isDirectory))
    var databaseOptions = DatabaseOptions()
    databaseOptions.maximumPages = options.limits.databasePages
    let database = try await Database.open(
      at: options.folder.appending(path: "server.sqlite"), schema: .server, options: databaseOptions)
    do {
      do {
        try await uploads.removeStale(database, before: options.clock.now() - 24 * 3_600_000)
      } catch {
        // A full disk must not prevent reading the stored data.
        options.report("Old uploads could not be removed: \(error)")
      }
      let epoch = try await database.epoch(isNew: options.beginsEpoch)
      do {
        try await database.skipChanges()
      } catch let error as StorageError where error.code == .full {
        // As above. As long as the disk is full, no change can be stored either.
        options.report("No change numbers could be skipped: \(error)")
      }
      let pushHub = PushHub()
      let endpoints = Endpoints(
        database: database, epoch: epoch, options: options,
        passwords: try await Passwords(cost: options.passwordCost), attempts: SignInAttempts(options.limits),
        commits: MessageCommits(database, pushHub, now: options.clock.now), pushHub: pushHub,
        mediaFolder: mediaFolder, uploads: uploads)
      return ChatServer(
        database,
        try await SocketServer.start(options.sockets, handler: RequestHandler(endpoints: endpoints)))
    } catch {
      await database.close()
      throw error
    }
  }

  /// Closes every connection, completes the writes in progress, and closes the database.
  public func stop() async {
    await sockets.stop()
    await database.close()
  }
}

extension ServerOptions {
  /// The options of the socket server. Each call checks the length of its body itself, since the limits of the calls
  /// differ.
  fileprivate var sockets: SocketServerOptions {
    var sockets = SocketServerOptions()
    sockets.host = host
    sockets.port = port
    sockets.maximumBodySize = Int.max
    sockets.maximumMessageSize = limits.body
    sockets.maximumConnections = limits.connections
    return sockets
  }
}
