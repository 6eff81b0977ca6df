import Foundation

/// A person's client: a process that takes typed lines, and its screen.
actor DemoClient {
  let name: String
  private(set) var screen = DemoScreen()
  private let process: DemoProcess
  private var reading: Task<Void, Never>?

  /// Starts `skein chat --json` for a person.
  init(_ name: String, words: [String], password: String, errors: FileHandle) async throws {
    self.name = name
    process = try DemoProcess(words, environment: ["SKEIN_PASSWORD": password], errors: errors)
    let lines = process.output
    reading = Task { [weak self] in
      while let line = await lines.next() { await self?.receive(line) }
    }
  }

  private func receive(_ line: String) {
    guard let record = try? JSONDecoder().decode(EventRecord.self, from: Data(line.utf8)) else { return }
    screen.apply(record)
  }

  func type(_ lines: String...) async { await process.type(lines) }

  func type(_ lines: [String]) async { await process.type(lines) }

  /// Ends the client with `/quit`.
  func quit() async throws {
    await process.type(["/quit"])
    try await wait(15, for: "\(name) to leave") { $0.waitingAtEnd != nil }
    await process.ending()
  }

  /// Kills the client.
  func destroy() async {
    await process.destroy()
    // Read the last lines of the process, which are still in the pipe.
    await reading?.value
  }

  /// Sends the process a signal.
  func signal(_ number: Int32) async { await process.signal(number) }

  /// Opens the chat with a user or a group.
  func open(_ peer: String) async throws {
    let openings = screen.openings
    await process.type(["/open \(peer)"])
    try await wait(15, for: "\(name) to open the chat with \(peer)") {
      $0.openings > openings && $0.messages.count >= $0.opened?.count ?? 0
    }
  }

  /// Jumps to a day in the open chat.
  func jump(to date: String) async throws {
    let (openings, pages) = (screen.openings, screen.pages.count)
    await process.type(["/jump \(date)"])
    try await wait(15, for: "\(name) to jump to \(date)") {
      $0.openings > openings && $0.pages.count > pages && $0.messages.count >= $0.pages.last?.count ?? 0
    }
  }

  /// Shows older messages until there are none, or until `isEnough` returns true.
  ///
  /// - Returns: The number of messages of each page.
  func pageBack(
    _ progress: @Sendable (Int) async -> Void = { _ in }, until isEnough: @Sendable (DemoScreen) -> Bool
  ) async throws -> [Int] {
    var sizes: [Int] = []
    while !isEnough(screen) {
      sizes.append(try await page("/more"))
      await progress(screen.messages.count)
      if screen.pages.last?.hasMore != true { break }
    }
    return sizes
  }

  /// Shows newer messages until there are none.
  ///
  /// - Returns: The number of messages of each page.
  func pageForward() async throws -> [Int] {
    var sizes: [Int] = []
    while screen.pages.last?.hasNewer == true { sizes.append(try await page("/newer")) }
    return sizes
  }

  private func page(_ line: String) async throws -> Int {
    let (pages, count) = (screen.pages.count, screen.messages.count)
    await process.type([line])
    try await wait(15, for: "\(name)'s next page of history") {
      $0.pages.count > pages && $0.messages.count >= $0.pages.last?.count ?? 0
    }
    return screen.messages.count - count
  }

  /// Waits until the screen satisfies a condition.
  ///
  /// - Throws: ``DemoFailure`` with the present state after the timeout, or with the first problem that the
  ///   client has reported.
  func wait(_ seconds: Int, for what: String, until isThere: @Sendable (DemoScreen) -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while !isThere(screen) {
      if let problem = screen.problems.first { throw DemoFailure("\(name): \(problem)") }
      guard ContinuousClock.now < deadline else {
        throw DemoFailure(
          "waited \(seconds) s for \(what); \(name) is \(screen.connection?.rawValue ?? "not connected"), "
            + "shows \(screen.messages.count) "
            + "messages, \(screen.waiting) of them waiting")
      }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Waits until the open chat shows the server's newest messages, and fills each gap.
  ///
  /// - Returns: The number of pages that were fetched.
  func show(_ comparison: DemoComparison, within seconds: Int) async throws -> Int {
    do {
      let deadline = ContinuousClock.now + .seconds(seconds)
      var pages = 0
      while comparison.difference(to: screen) != nil, ContinuousClock.now < deadline {
        try await wait(seconds, for: "the server's messages") { screen in
          screen.hasGap && screen.messages.last?.messageID == comparison.history.last?.id
            || comparison.difference(to: screen) == nil
        }
        // The client shows its own last message before it has caught up. So a later catch-up may leave a new
        // gap, and the loop checks again.
        if screen.hasGap { pages += try await pageBack { !$0.hasGap }.count }
      }
      try await wait(1, for: "the server's messages") { comparison.difference(to: $0) == nil }
      return pages
    } catch let failure as DemoFailure {
      throw DemoFailure("\(failure); \(comparison.difference(to: screen) ?? "now it is right")")
    }
  }
}

/// A failed check or a timeout, described by what was observed.
struct DemoFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
