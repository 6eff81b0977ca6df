import Foundation
import SkeinServer

/// `skein serve`: runs the reference server until a signal.
enum ServeCommand {
  private static let port = Option(
    name: "port", value: "N", help: "The port to listen on, default 8080; 0 chooses a free one.")
  private static let host = Option(
    name: "host", value: "H", help: "The address to listen on, default 127.0.0.1.")
  private static let data = Option(
    name: "data", value: "DIR", help: "The folder of the database and the media, default ./data.")
  private static let daysAgo = Option(
    name: "days-ago", value: "N", help: "Set the clock back by N days, at most 3650, for trials.")
  private static let newEpoch = Option(
    name: "new-epoch", value: nil,
    help: "Begin a new epoch, once after the data was restored from a backup.")

  static let usage = Usage(
    name: "serve", summary: "Runs a chat server with its data in one folder.",
    options: [port, host, data, daysAgo, newEpoch],
    notes: """
      It stops at Ctrl-C or SIGTERM, with everything on disk. It accepts 10,000
      connections, or fewer if the system's hard limit of open files is low.
      """, run: run)

  private static func run(_ arguments: Arguments) async throws -> Int32 {
    let folder = try arguments.folder(data) ?? URL(filePath: "./data", directoryHint: .isDirectory)
    var options = ServerOptions(folder: folder)
    options.port = try arguments.number(port, in: 0...65535) ?? 8080
    options.host = arguments.text(host) ?? options.host
    options.beginsEpoch = arguments.isSet(newEpoch)
    options.clock = .system.set(backDays: try arguments.number(daysAgo, in: 0...3650) ?? 0)
    try ListeningPort.check(options.port, on: options.host)
    // A request on a connection may have a file open.
    OpenFileLimit.raise(to: 2 * options.limits.connections + 256)
    let server = try await start(options)
    let host = options.host.contains(":") ? "[\(options.host)]" : options.host
    StandardOutput.write(
      "Skein server listening on http://\(host):\(server.port), data in "
        + "\(arguments.text(data) ?? "./data")\n")
    await TerminationSignals.wait()
    await server.stop()
    return 0
  }

  private static func start(_ options: ServerOptions) async throws -> ChatServer {
    let lock = try FolderLock.acquire(options.folder, .exclusive)
    do {
      try DatabaseFile.check(options.folder.appending(path: "server.sqlite"))
      return try await ChatServer.start(options)
    } catch {
      lock.undo(["media/uploads", "media/incoming", "media"])
      throw error is Failure
        ? error : Failure("The server can't start in the folder \(options.folder.shownPath): \(error)", error)
    }
  }
}

extension ServerClock {
  /// This clock, set back by a number of days.
  func set(backDays days: Int) -> ServerClock {
    let back = Int64(days) * 86_400_000
    return ServerClock(now: { now() - back }, sleep: { try await sleep($0 + back) })
  }
}
