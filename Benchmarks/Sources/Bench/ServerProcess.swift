import CReference
import Foundation
import Skein
import SkeinHTTP
import SkeinServer

/// The reference server in a process of its own, so that its memory and its processor time can be measured.
struct ServerProcess {
  /// The option with which the program only serves a folder, until its standard input ends.
  static let option = "--serve"

  let port: Int
  private let url: URL
  private let process = Process()
  private let input = Pipe()

  init(in folder: URL) throws {
    let output = Pipe()
    process.executableURL = .program
    process.arguments = [Self.option, folder.path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let port = Int(line.filter(\.isNumber)), let url = URL(string: "http://127.0.0.1:\(port)") else {
      throw BenchError("The server has not started.")
    }
    self.port = port
    self.url = url
  }

  /// Serves a folder, and prints the port.
  static func serve(_ folder: URL) async throws {
    var options = ServerOptions(folder: folder)
    options.passwordCost = .minimum
    options.limits.address = RateLimit(burst: 1_000_000, interval: 1)
    options.limits.connections = 20_000
    let server = try await ChatServer.start(options)
    Bench.write("\(server.port)\n")
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        _ = try? FileHandle.standardInput.readToEnd()
        continuation.resume()
      }
    }
    await server.stop()
  }

  /// Registers new users and signs them in.
  func sessions(of users: [UserID]) async throws -> [Session] {
    let accounts = HTTPAccounts(server: url)
    let width = 16
    let sessions = try await withThrowingTaskGroup(of: [Int: Session].self) { group in
      for start in 0..<width {
        group.addTask {
          var sessions: [Int: Session] = [:]
          for index in stride(from: start, to: users.count, by: width) {
            try await accounts.register(users[index], password: "open sesame")
            sessions[index] = try await accounts.signIn(users[index], password: "open sesame")
          }
          return sessions
        }
      }
      return try await group.reduce(into: [:]) { $0.merge($1) { $1 } }
    }
    return users.indices.compactMap { sessions[$0] }
  }

  /// The resident memory, in bytes.
  func memory() throws -> Double { try residentMemory(of: "\(process.processIdentifier)") }

  /// The processor time that the server has used, in milliseconds.
  func processorTime() throws -> Double {
    var clock = clockid_t()
    var time = timespec()
    guard clock_getcpuclockid(process.processIdentifier, &clock) == 0, clock_gettime(clock, &time) == 0 else {
      throw BenchError("The processor time is not known.")
    }
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
  }

  /// Stops the server, and waits for its end.
  func stop() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}

extension URL {
  /// This program.
  static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
}

/// The resident memory of a process, in bytes.
func residentMemory(of process: String) throws -> Double {
  let pages = try String(contentsOf: URL(fileURLWithPath: "/proc/\(process)/statm"), encoding: .utf8)
    .split(separator: " ")
  guard pages.count > 1, let resident = Double(pages[1]) else { throw BenchError("The memory is not known.") }
  return resident * Double(sysconf(Int32(_SC_PAGESIZE)))
}
