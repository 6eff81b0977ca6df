import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// This program once more, as a process of its own, with a pipe at each end.
actor DemoProcess {
  /// What it writes, line by line.
  let output: LineReader
  private let process = Process()
  private let input = Pipe()
  private let pipe = Pipe()
  private let end = Mutex<(isOver: Bool, waiter: CheckedContinuation<Void, Never>?)>((false, nil))

  /// Starts `skein` with these words; what it writes to its standard error goes to `errors`.
  init(_ words: [String], environment: [String: String] = [:], errors: FileHandle) throws {
    process.executableURL = DemoProcess.executable
    process.arguments = words
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = input
    process.standardOutput = pipe
    process.standardError = errors
    output = LineReader(pipe.fileHandleForReading.fileDescriptor)
    process.terminationHandler = { [weak self] _ in self?.ended() }
    try process.run()
  }

  /// The program that is running.
  private static var executable: URL {
    let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return path.map { URL(filePath: $0) } ?? Bundle.main.executableURL
      ?? URL(filePath: CommandLine.arguments[0])
  }

  /// Types lines. Once the process is gone, nobody reads them.
  func type(_ lines: [String]) {
    let text = lines.map { $0 + "\n" }.joined()
    try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
  }

  /// Sends a signal.
  func signal(_ number: Int32) {
    if process.isRunning { kill(process.processIdentifier, number) }
  }

  /// Kills it, if it is still there, and returns when it is gone.
  func destroy() async {
    signal(SIGKILL)
    await ending()
  }

  /// Returns when the process is gone.
  func ending() async {
    await withCheckedContinuation { continuation in
      let isOver = end.withLock { end in
        if !end.isOver { end.waiter = continuation }
        return end.isOver
      }
      if isOver { continuation.resume() }
    }
  }

  nonisolated private func ended() {
    let waiter = end.withLock { end in
      defer { end = (true, nil) }
      return end.waiter
    }
    waiter?.resume()
  }
}
