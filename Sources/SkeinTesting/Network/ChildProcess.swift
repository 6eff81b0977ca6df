import Dispatch
import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A child process. Its output is read to the end, and the process is reaped when it ends.
///
/// This class replaces Foundation's `Process`. On Linux, `Process` sometimes reads past a directory entry and crashes
/// (swift-corelibs-foundation, pull request 5472). Swift 6.3.1 still contains this error.
final class ChildProcess: Sendable {
  /// The way in which a process ended, as the second part of a sentence, such as `ended with status 0`.
  typealias Exit = String

  private struct State {
    var exit: Exit?
    var waiters: [CheckedContinuation<Exit, Never>] = []
    /// The last bytes of the output.
    var tail: [UInt8] = []
    /// The incomplete last line.
    var line: [UInt8] = []
  }
  private static let tailSize = 8192
  private static let timers = DispatchQueue(label: "skein.testing.processes")

  let id: pid_t
  /// The complete lines of the output, until the end of the output or ``stopReading(after:)``. Only one task
  /// may read the lines.
  let lines: AsyncStream<String>
  private let linesEnd: AsyncStream<String>.Continuation
  private let state = Mutex(State())

  init(_ path: String, _ arguments: [String], _ environment: [String: String]) throws {
    (lines, linesEnd) = AsyncStream.makeStream()
    let values = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let pipe = Pipe()
    id = try Self.spawn(
      path, [path] + arguments, values.map { "\($0)=\($1)" },
      output: pipe.fileHandleForWriting.fileDescriptor)
    try pipe.fileHandleForWriting.close()
    // The threads retain this object, so that every process is reaped.
    Thread.detachNewThread { [self] in read(pipe.fileHandleForReading) }
    Thread.detachNewThread { [self] in reap() }
  }

  var isOver: Bool { state.withLock { $0.exit != nil } }

  /// The end of the output, at most 8,192 bytes.
  var output: String { state.withLock { String(decoding: $0.tail, as: UTF8.self) } }

  /// Ends ``lines`` once `limit` has passed.
  func stopReading(after limit: Duration) {
    Self.timers.asyncAfter(deadline: .now() + limit / .seconds(1)) { [linesEnd] in linesEnd.finish() }
  }

  /// Sends SIGTERM, and SIGKILL if the process has not ended after `limit`. Returns when the process has ended, even
  /// if the task is cancelled.
  @discardableResult
  func end(killingAfter limit: Duration) async -> Exit {
    signal(SIGTERM)
    Self.timers.asyncAfter(deadline: .now() + limit / .seconds(1)) { [self] in kill() }
    return await withCheckedContinuation { continuation in
      let exit = state.withLock { state in
        if state.exit == nil { state.waiters.append(continuation) }
        return state.exit
      }
      if let exit { continuation.resume(returning: exit) }
    }
  }

  /// Sends SIGKILL, unless the process has ended.
  func kill() { signal(SIGKILL) }

  private func signal(_ number: Int32) {
    // While the lock is held, the process is not reaped. Once a process is reaped, its number may belong to
    // another process.
    state.withLock { state in
      if state.exit == nil { systemKill(id, number) }
    }
  }

  private func read(_ output: FileHandle) {
    defer { linesEnd.finish() }
    while case let piece = Self.read(output.fileDescriptor), !piece.isEmpty {
      let complete = state.withLock { state in
        state.tail = (state.tail + piece).suffix(Self.tailSize)
        var parts = (state.line + piece).split(
          separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        state.line = Array(parts.removeLast())
        return parts.map { String(decoding: $0, as: UTF8.self) }
      }
      for line in complete { linesEnd.yield(line) }
    }
  }

  /// Waits for bytes and returns them; empty at the end of the output.
  private static func read(_ descriptor: Int32) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let count = systemRead(descriptor, &bytes, bytes.count)
      if count >= 0 { return Array(bytes.prefix(count)) }
      if errno != EINTR { return [] }
    }
  }

  private func reap() {
    var information = siginfo_t()
    while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    let (exit, waiters) = state.withLock { state in
      var status: Int32 = 0
      waitpid(id, &status, 0)
      let exit = Self.exit(status)
      defer { state.waiters = [] }
      state.exit = exit
      return (exit, state.waiters)
    }
    for waiter in waiters { waiter.resume(returning: exit) }
    // The output has usually ended as well. But a child of the ended process may keep the output open.
    stopReading(after: .milliseconds(500))
  }

  private static func exit(_ status: Int32) -> Exit {
    let signal = status & 0x7f
    return signal == 0 ? "ended with status \(status >> 8 & 0xff)" : "was ended by signal \(signal)"
  }

  // MARK: Spawning

  private static func spawn(
    _ path: String, _ arguments: [String], _ environment: [String], output: Int32
  ) throws -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
    // A pool's threads block signals, and a child would inherit their signal mask.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var flags = Int16(POSIX_SPAWN_SETSIGMASK)
    #if canImport(Darwin)
      flags |= Int16(POSIX_SPAWN_CLOEXEC_DEFAULT)
    #else
      // A socket or pipe that the child inherits would stay open after this process has closed it. The range
      // includes files that other threads open meanwhile; closing a file that is not open does nothing.
      let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
      let end = (open.max() ?? 0) + 256
      for file in STDERR_FILENO + 1..<end where file < sysconf(Int32(_SC_OPEN_MAX)) {
        posix_spawn_file_actions_addclose(&actions, file)
      }
    #endif
    posix_spawnattr_setflags(&attributes, flags)

    var arguments = arguments.map { strdup($0) } + [nil]
    var environment = environment.map { strdup($0) } + [nil]
    defer { for text in arguments + environment { free(text) } }
    var id: pid_t = 0
    let status = posix_spawn(&id, path, &actions, &attributes, &arguments, &environment)
    guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: status) ?? .EINVAL) }
    return id
  }
}

// The C library's calls under other names, since the methods above hide these calls.
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}
private func systemKill(_ id: pid_t, _ number: Int32) { kill(id, number) }
