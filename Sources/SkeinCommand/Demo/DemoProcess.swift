import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// This program once more, with a pipe at each end.
actor DemoProcess {
  /// What it writes, line by line.
  let output: LineReader
  private let process: ChildProcess
  private let input = Pipe()
  private let pipe = Pipe()

  /// Starts `skein` with these words; what it writes to its standard error goes to `errors`.
  init(_ words: [String], environment: [String: String] = [:], errors: FileHandle) throws {
    output = LineReader(pipe.fileHandleForReading.fileDescriptor)
    process = try ChildProcess(
      words, environment: environment,
      files: (input.fileHandleForReading, pipe.fileHandleForWriting, errors))
    // The child's ends are the child's alone: its death is the end of what it writes.
    try input.fileHandleForReading.close()
    try pipe.fileHandleForWriting.close()
  }

  /// Types lines. Once the process is gone, nobody reads them.
  func type(_ lines: [String]) {
    let text = lines.map { $0 + "\n" }.joined()
    try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
  }

  /// Sends a signal.
  func signal(_ number: Int32) { process.signal(number) }

  /// Kills it, if it is still there, and returns when it is gone.
  func destroy() async {
    signal(SIGKILL)
    await ending()
  }

  /// Returns when the process is gone.
  func ending() async { await process.end() }
}
