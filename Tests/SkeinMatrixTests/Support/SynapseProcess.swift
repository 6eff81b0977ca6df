import Foundation
import SkeinTesting

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A Synapse of one test, which the test kills, halts and starts again on the same data and port.
actor SynapseProcess {
  private static let script = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Scripts/synapse").standardizedFileURL

  /// The address, the same after each start.
  let address: URL
  private let folder: URL
  private let settings: String
  private var process: ServerProcess

  /// Starts a Synapse with further settings, runs `body`, and ends the Synapse.
  static func run(settings: String = "{}", _ body: (SynapseProcess) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "skein-synapse-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let synapse = try await SynapseProcess(folder, settings)
    do {
      try await body(synapse)
    } catch {
      await synapse.stop()
      throw error
    }
    await synapse.stop()
  }

  private init(_ folder: URL, _ settings: String) async throws {
    process = try await Self.start(folder, settings, port: nil)
    (self.folder, self.settings) = (folder, settings)
    guard let address = URL(string: "http://127.0.0.1:\(process.port)") else { throw URLError(.badURL) }
    self.address = address
  }

  private static func start(_ folder: URL, _ settings: String, port: Int?) async throws -> ServerProcess {
    var command = ServerCommand(
      script,
      arguments: ["--folder", folder.path, "--settings", settings] + (port.map { ["\($0)"] } ?? []),
      port: /listening on http:.*:(\d+)/)
    // A busy machine needs this long for the imports of Synapse.
    (command.startLimit, command.stopLimit) = (.seconds(90), .seconds(15))
    return try await command.start()
  }

  /// Kills Synapse with SIGKILL, and returns once it has ended.
  func kill() async {
    signal(SIGKILL)
    await process.stop()
  }

  /// Starts Synapse again, and returns once it answers.
  func restart() async throws { process = try await Self.start(folder, settings, port: process.port) }

  /// Stops all threads of Synapse with SIGSTOP. Its sockets stay open, and nothing answers.
  func halt() { signal(SIGSTOP) }

  /// Lets a halted Synapse go on.
  func proceed() { signal(SIGCONT) }

  private func stop() async {
    proceed()
    await process.stop()
  }

  /// Sends a signal to Synapse, which is a child of the script.
  private func signal(_ number: Int32) {
    guard !process.isOver, let match = process.output.firstMatch(of: /process (\d+)/), let id = pid_t(match.1)
    else { return }
    systemKill(id, number)
  }
}

// The C library's call under another name, since the method above hides it.
private func systemKill(_ id: pid_t, _ number: Int32) { kill(id, number) }
