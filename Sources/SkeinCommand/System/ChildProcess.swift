import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Another process of this program.
///
/// This class replaces Foundation's `Process`, which on Linux sometimes reads past a directory entry and
/// crashes (swift-corelibs-foundation, pull request 5472; Swift 6.3.1 still has this fault).
final class ChildProcess: Sendable {
  private struct State {
    var isOver = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }
  private let id: pid_t
  private let state = Mutex(State())

  /// Starts `skein` with these arguments.
  ///
  /// - Parameters:
  ///   - environment: Variables in addition to this process's own.
  ///   - files: The child's standard input, output and error; nil means this process's own file. The child
  ///     inherits no other file.
  /// - Throws: `POSIXError` if the process can't be started.
  init(
    _ words: [String], environment: [String: String] = [:],
    files: (input: FileHandle?, output: FileHandle?, errors: FileHandle?)
  ) throws {
    let values = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let path = Self.executable.path
    id = try Self.spawn(
      path, [path] + words, values.map { "\($0)=\($1)" },
      [files.input, files.output, files.errors].map { $0?.fileDescriptor })
    // The thread retains this object, so that every process is reaped.
    let thread = Thread { [self] in reap() }
    thread.stackSize = 64 << 10
    thread.start()
  }

  /// This program's file.
  private static var executable: URL {
    let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return path.map { URL(filePath: $0) } ?? Bundle.main.executableURL
      ?? URL(filePath: CommandLine.arguments[0])
  }

  /// Sends a signal. Does nothing once the process has ended.
  func signal(_ number: Int32) {
    // The process is not reaped while this lock is held. Once the process is reaped, the system may give its
    // id to another process.
    state.withLock { state in
      if !state.isOver { kill(id, number) }
    }
  }

  /// Returns when the process has ended.
  func end() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if !state.isOver { state.waiters.append(continuation) }
        return state.isOver
      }
      if isOver { continuation.resume() }
    }
  }

  private func reap() {
    var information = siginfo_t()
    while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    let waiters = state.withLock { state in
      waitpid(id, nil, 0)
      defer { state = State(isOver: true) }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  // MARK: Spawning

  private static func spawn(
    _ path: String, _ arguments: [String], _ environment: [String], _ files: [Int32?]
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
    for (own, file) in files.enumerated() {
      if let file { posix_spawn_file_actions_adddup2(&actions, file, Int32(own)) }
    }
    // The threads of this program block SIGINT and SIGTERM, and a child would inherit their signal mask.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var flags = Int16(POSIX_SPAWN_SETSIGMASK)
    #if canImport(Darwin)
      flags |= Int16(POSIX_SPAWN_CLOEXEC_DEFAULT)
    #else
      // A socket or pipe that the child inherits would stay open after it is closed here.
      let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
      for file in open.compactMap({ Int32($0) }) where file > 2 {
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
