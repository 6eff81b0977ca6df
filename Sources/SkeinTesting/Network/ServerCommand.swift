#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A command that starts a server's process for a test.
///
/// The server chooses a free port and prints it. This code runs a server, and ends it even if an error is thrown:
///
/// ```swift
/// let command = ServerCommand(
///   URL(filePath: "/usr/local/bin/chat-server"), arguments: ["--port", "0"], port: /listening on port (\d+)/)
/// try await command.run { server in
///   let backend = MyBackend(port: server.port)
/// }
/// ```
///
/// 1. When ``run(_:)`` returns or throws, the process has ended and its entry is removed from the system's table, even
///    if the task is cancelled.
/// 2. A process that ignores SIGTERM receives SIGKILL. Processes that the server has started are not ended.
/// 3. The process inherits no open file. Its standard input is empty. Its output is read to the end, so that the
///    process never waits to write.
public struct ServerCommand {
  /// The program's file.
  public var executable: URL
  /// The arguments, without the program's name.
  public var arguments: [String]
  /// Environment variables, in addition to those of this process. They override variables of the same name.
  public var environment: [String: String]
  /// The pattern of an output line with the port. The first capture of the pattern is the port.
  public var port: Regex<(Substring, Substring)>
  /// The longest time until the server answers.
  public var startLimit = Duration.seconds(30)
  /// The time between SIGTERM and SIGKILL.
  public var stopLimit = Duration.seconds(5)
  /// Returns whether the server on a port answers; called repeatedly until the result is true, ``startLimit``
  /// has passed or the process has ended. By default, a server answers if it accepts a connection.
  public var isReady: @concurrent @Sendable (_ port: Int) async -> Bool = { port in
    guard let socket = Socket.connect(toPort: port) else { return false }
    Socket.close(socket)
    return true
  }

  /// Describes a command; starts nothing.
  public init(
    _ executable: URL, arguments: [String] = [], environment: [String: String] = [:],
    port: Regex<(Substring, Substring)>
  ) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
    self.port = port
  }

  /// Starts the server, and returns once it answers. The caller must end the server with ``ServerProcess/stop()``.
  ///
  /// - Throws: ``ServerProcessError``; `CancellationError` if the task is cancelled. In either case the process has
  ///   ended.
  public func start() async throws -> ServerProcess {
    let child: ChildProcess
    do {
      child = try ChildProcess(executable.path, arguments, environment)
    } catch {
      throw ServerProcessError(.notStarted, "\(name) could not be started: \(error)", output: "")
    }
    do {
      return ServerProcess(child, port: try await readyPort(of: child), stopLimit: stopLimit)
    } catch {
      await child.end(killingAfter: stopLimit)
      throw error
    }
  }

  /// Starts the server, waits until it answers, runs `body`, and ends the server.
  ///
  /// - Throws: the error of `body`; ``ServerProcessError`` if the server does not start; `CancellationError` if the
  ///   task is cancelled while the server starts.
  public func run<Value>(_ body: (ServerProcess) async throws -> Value) async throws -> Value {
    let server = try await start()
    do {
      let value = try await body(server)
      await server.stop()
      return value
    } catch {
      await server.stop()
      throw error
    }
  }

  private var name: String { executable.lastPathComponent }

  private func readyPort(of child: ChildProcess) async throws -> Int {
    let deadline = ContinuousClock.now + startLimit
    child.stopReading(after: startLimit)
    guard let port = await printedPort(of: child) else {
      try Task.checkCancellation()
      if ContinuousClock.now >= deadline {
        throw ServerProcessError(
          .timedOut, "\(name) printed no port within \(startLimit).", output: child.output)
      }
      throw await ended(child, "before it printed a port")
    }
    do {
      try await Deadline.run(within: deadline - .now) { [isReady] in
        while !child.isOver, !(await isReady(port)) { try await Task.sleep(for: .milliseconds(20)) }
      }
    } catch is Deadline.Passed {
      throw ServerProcessError(
        .timedOut, "\(name) printed port \(port), and did not answer within \(startLimit).",
        output: child.output)
    }
    if child.isOver { throw await ended(child, "before it answered on port \(port)") }
    return port
  }

  private func printedPort(of child: ChildProcess) async -> Int? {
    for await line in child.lines {
      if let match = line.firstMatch(of: port), let port = Int(match.1) { return port }
    }
    return nil
  }

  private func ended(_ child: ChildProcess, _ time: String) async -> ServerProcessError {
    let exit = await child.end(killingAfter: .zero)
    return ServerProcessError(.ended, "\(name) \(exit) \(time).", output: child.output)
  }
}

/// A running server that a ``ServerCommand`` has started.
public final class ServerProcess: Sendable {
  /// The port that the server printed.
  public let port: Int
  private let child: ChildProcess
  private let stopLimit: Duration

  init(_ child: ChildProcess, port: Int, stopLimit: Duration) {
    self.child = child
    self.port = port
    self.stopLimit = stopLimit
  }

  // Once this object is gone, no other code can stop the process.
  deinit { child.kill() }

  /// The system's number of the process.
  public var id: Int32 { child.id }

  /// Whether the process has ended.
  public var isOver: Bool { child.isOver }

  /// The end of the output so far, standard error included: at most 8,192 bytes.
  public var output: String { child.output }

  /// Sends SIGTERM, and SIGKILL if the process has not ended after ``ServerCommand/stopLimit``. Returns when the
  /// process has ended, even if the task is cancelled. Does nothing if the process has already ended.
  public func stop() async { _ = await child.end(killingAfter: stopLimit) }
}

/// The reason why a server did not start.
public struct ServerProcessError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure; later versions may add codes.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name.
    public let rawValue: String
    /// Makes a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The system could not run the program.
    public static let notStarted = Code(rawValue: "notStarted")
    /// The process ended before it answered.
    public static let ended = Code(rawValue: "ended")
    /// The server printed no port, or did not answer, in time.
    public static let timedOut = Code(rawValue: "timedOut")
  }

  /// The kind of failure.
  public let code: Code
  /// The failure, in one sentence.
  public let message: String
  /// The end of the process's output, standard error included: at most 8,192 bytes.
  public let output: String

  init(_ code: Code, _ message: String, output: String) {
    self.code = code
    self.message = message
    self.output = output
  }

  /// The sentence and the output.
  public var description: String {
    output.isEmpty ? "\(message) It printed nothing." : "\(message) The end of its output:\n\(output)"
  }
}
