import Foundation
import SkeinTesting
import Synchronization
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite("The process of a server", .timeLimit(.minutes(2)))
struct ServerCommandTests {
  /// A shell in place of a server.
  private func command(_ script: String, _ environment: [String: String] = [:]) -> ServerCommand {
    ServerCommand(
      URL(filePath: "/bin/sh"), arguments: ["-c", script], environment: environment,
      port: /listening on port (\d+)/)
  }

  /// A command whose server always answers.
  private func readyCommand(_ script: String) -> ServerCommand {
    var command = command(script)
    command.isReady = { _ in true }
    return command
  }

  /// Whether the system has a process with this number, a zombie included.
  private func exists(_ id: Int32) -> Bool { kill(id, 0) == 0 }

  @Test("A server starts when it has printed its port and accepts a connection, and ends with the test")
  func starts() async throws {
    let listener = try Relay(toPort: 1)
    defer { listener.close() }
    let command = command(
      "echo starting; echo listening on port $PORT; echo more; exec sleep 600",
      ["PORT": "\(listener.port)"])
    let (port, id) = try await command.run { server in
      #expect(exists(server.id) && !server.isOver)
      return (server.port, server.id)
    }
    #expect(port == listener.port)
    #expect(!exists(id))
  }

  @Test("After a server has printed its port, the start waits until the server answers")
  func answersLater() async throws {
    let count = Mutex(0)
    var command = command("echo listening on port 7; exec sleep 600")
    command.isReady = { port in
      count.withLock { count in
        count += port == 7 ? 1 : 0
        return count == 3
      }
    }
    let port = try await command.run { $0.port }
    #expect(port == 7 && count.withLock { $0 } == 3)
  }

  @Test("If a server ends before it has printed its port, the error contains the server's output")
  func ends() async throws {
    let error = await #expect(throws: ServerProcessError.self) {
      try await command("echo one; echo no configuration >&2; exit 3").start()
    }
    #expect(error?.code == .ended)
    #expect(
      error?.description == "sh ended with status 3 before it printed a port. The end of its output:\n"
        + "one\nno configuration\n")
  }

  @Test("If a server ends before it answers, the error names the signal that ended it and the port")
  func endsLater() async throws {
    var command = command("echo listening on port 7; kill -9 $$")
    command.isReady = { _ in false }
    let error = await #expect(throws: ServerProcessError.self) { try await command.start() }
    #expect(error?.message == "sh was ended by signal 9 before it answered on port 7.")
  }

  @Test("A server that prints no port in time is ended, and the start fails")
  func silent() async throws {
    var command = command("echo $$; exec sleep 600")
    command.startLimit = .seconds(2)
    let error = await #expect(throws: ServerProcessError.self) { try await command.start() }
    #expect(error?.code == .timedOut)
    #expect(error?.message == "sh printed no port within 2.0 seconds.")
    let id = try #require(Int32((error?.output ?? "").trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(!exists(id))
  }

  @Test("If a server does not answer in time, the start fails")
  func noAnswer() async throws {
    var command = command("echo listening on port 7; exec sleep 600")
    command.startLimit = .seconds(2)
    command.isReady = { _ in false }
    let error = await #expect(throws: ServerProcessError.self) { try await command.start() }
    #expect(error?.code == .timedOut)
    #expect(error?.message == "sh printed port 7, and did not answer within 2.0 seconds.")
  }

  @Test("Starting a program that does not exist fails")
  func missing() async throws {
    let error = await #expect(throws: ServerProcessError.self) {
      try await ServerCommand(URL(filePath: "/no/such/server"), port: /(\d+)/).start()
    }
    #expect(error?.code == .notStarted)
  }

  @Test("A server that ignores SIGTERM receives SIGKILL")
  func stubborn() async throws {
    var command = readyCommand("trap '' TERM; echo listening on port 7; while :; do sleep 0.1; done")
    command.stopLimit = .milliseconds(200)
    let server = try await command.start()
    await server.stop()
    #expect(server.isOver && !exists(server.id))
    await server.stop()
  }

  @Test("A test that throws ends its server")
  func throwing() async throws {
    struct Failure: Error {}
    let id = Mutex<Int32?>(nil)
    await #expect(throws: Failure.self) {
      try await readyCommand("echo listening on port 7; exec sleep 600").run { server in
        id.withLock { $0 = server.id }
        throw Failure()
      }
    }
    #expect(!exists(try #require(id.withLock { $0 })))
  }

  @Test(
    "A cancelled test ends its server, whether the server is starting or running", arguments: [true, false])
  func cancelled(_ isStarting: Bool) async throws {
    let id = Mutex<Int32?>(nil)
    let (waiting, signal) = AsyncStream.makeStream(of: Never.self)
    let test = Task {
      var command = command("echo listening on port $$; exec sleep 600")
      command.isReady = { port in
        id.withLock { $0 = Int32(port) }
        if isStarting { signal.finish() }
        return !isStarting
      }
      try await command.run { _ in
        signal.finish()
        let (end, never) = AsyncStream.makeStream(of: Never.self)
        defer { never.finish() }
        for await _ in end {}
        try Task.checkCancellation()
      }
    }
    for await _ in waiting {}
    test.cancel()
    await #expect(throws: CancellationError.self) { try await test.value }
    #expect(!exists(try #require(id.withLock { $0 })))
  }

  @Test("A server inherits no open file")
  func files() async throws {
    // The listing itself opens the folder.
    try await readyCommand("ls /proc/self/fd; echo listening on port 7; exec sleep 600").run { server in
      #expect(server.output == "0\n1\n2\n3\nlistening on port 7\n")
    }
  }

  @Test("A server that writes much never waits for a reader, and the end of its output is kept")
  func loud() async throws {
    let script = "head -c 300000 /dev/zero | tr '\\0' x; echo; echo listening on port 7; exec sleep 600"
    try await readyCommand(script).run { server in
      #expect(server.output.hasSuffix("x\nlistening on port 7\n"))
      #expect(server.output.utf8.count == 8192)
    }
  }
}
