import Foundation
import Skein
import SkeinHTTP

/// `skein chat`: a chat client for a terminal, a pipe or a script.
enum ChatCommand {
  private static let socket = Option(
    name: "socket", value: nil, help: "Send messages over the WebSocket.")
  private static let lanes = Option(
    name: "lanes", value: "POLICY",
    help: "The order of sending: strict, media (the default) or free.")
  private static let catchUp = Option(
    name: "catch-up", value: "N",
    help: "Catch up with the newest N messages of each chat, 1 to 200, default 50.")
  private static let json = Option(
    name: "json", value: nil, help: "Write each event as one line of JSON, for scripts.")

  private static let policies: [(String, LanePolicy)] = [
    ("strict", .strict), ("media", .mediaLane), ("free", .free),
  ]

  static let usage = Usage(
    name: "chat", summary: "Runs a chat client on the terminal or, line by line, on a pipe.",
    options: AccountOptions.all + [socket, lanes, catchUp, json],
    notes: """
      The password is needed once. The folder keeps the session.
      Without a connection, messages can be read, and new ones wait to be sent.
      Several clients can share a folder. One of them has the connection and sends for all.

      Lines that can be typed:
      \(Instruction.table)
      """, run: run)

  private static func run(_ arguments: Arguments) async throws -> Int32 {
    let policy = try arguments.choice(lanes, of: policies) ?? .mediaLane
    let page = try arguments.number(catchUp, in: 1...200)
    var account = try AccountOptions.account(arguments, for: "chat")
    guard !arguments.isSet(socket) || account.serverProtocol == .skein else {
      throw UsageError("A Matrix homeserver has no WebSocket: omit --socket or --matrix.")
    }
    let lock = try FolderLock.acquire(account.folder, .shared)
    if arguments.isSet(socket) { account.sending = .socket }
    account.lanePolicy = policy
    // A terminal keeps what it has printed, so the list is never trimmed.
    account.windowSize = .max
    account.catchUpPageSize = page ?? account.catchUpPageSize
    let session: AccountSession
    let client: ChatClient
    do {
      session = try await AccountOptions.session(of: account, arguments)
      client = try await account.open(session)
    } catch {
      lock.undo()
      throw error is UsageError ? error : Failure(ProblemText.of(error), error)
    }
    let isTyped = StandardOutput.isTerminal && StandardInput.isTerminal
    if isTyped, !arguments.isSet(json) {
      let terminal = TerminalOutput()
      try await chat(
        client, account, terminal, next: { await terminal.next() }, end: { await terminal.end() })
    } else {
      let lines = LineReader(StandardInput.descriptor)
      let output = PipeOutput(
        arguments.isSet(json) ? JSONSurface() : PlainSurface(account: session.user))
      try await chat(client, account, output, next: { await lines.next() }, end: {})
    }
    return 0
  }

  private static func chat(
    _ client: ChatClient, _ account: Account, _ output: some ChatOutput,
    next: @escaping @Sendable () async -> String?, end: @escaping @Sendable () async -> Void
  ) async throws {
    let desk = ChatDesk(client, output: output)
    // A signal ends the client at once; messages that wait are sent at the next start.
    Task {
      await TerminationSignals.wait()
      await desk.stop()
      await client.close()
      await end()
      exit(0)
    }
    await desk.start()
    client.start()
    if output.isRead { await desk.welcome() }
    while let line = await next(), await desk.handle(line) {}
    let waiting: Result<Int, any Error>
    do { waiting = .success(try await desk.finish()) } catch { waiting = .failure(error) }
    await desk.stop()
    if case .signedOut = client.connectionState { account.forgetSession() }
    await client.close()
    if case .success(let count) = waiting { await output.show([.ended(waiting: count)]) }
    await end()
    _ = try waiting.get()
  }
}
