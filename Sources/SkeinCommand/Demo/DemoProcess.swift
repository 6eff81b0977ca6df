import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Another process of this program, connected by pipes.
actor DemoProcess {
  /// The process's standard output, line by line.
  let output: LineReader
  private let process: ChildProcess
  private let input = Pipe()
  private let pipe = Pipe()

  /// Starts `skein` with these arguments. The standard error of the process goes to `errors`.
  init(_ words: [String], environment: [String: String] = [:], errors: FileHandle) throws {
    output = LineReader(pipe.fileHandleForReading.fileDescriptor)
    process = try ChildProcess(
      words, environment: environment,
      files: (input.fileHandleForReading, pipe.fileHandleForWriting, errors))
    // Close the child's ends here, so that the output ends with the child.
    try input.fileHandleForReading.close()
    try pipe.fileHandleForWriting.close()
  }

  /// Types lines. Does nothing once the process has ended.
  func type(_ lines: [String]) {
    let text = lines.map { $0 + "\n" }.joined()
    try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
  }

  /// Sends a signal.
  func signal(_ number: Int32) { process.signal(number) }

  /// Kills the process and returns when it has ended.
  func destroy() async {
    signal(SIGKILL)
    await ending()
  }

  /// Returns when the process has ended.
  func ending() async { await process.end() }
}
