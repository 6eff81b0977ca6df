import CReference
import Foundation
import Skein

extension Opening {
  /// The option with which the program only opens the database in a folder and prints its memory.
  static let memoryOption = "--memory-of"

  /// Starts a process that opens the database and its list of conversations.
  ///
  /// - Returns: the milliseconds from the start until the list has its first conversations, and the megabytes
  ///   of resident memory then.
  static func started(with folder: URL) throws -> (time: Double, memory: Double) {
    let process = Process()
    process.executableURL = .program
    process.arguments = [memoryOption, folder.path]
    let output = Pipe()
    process.standardOutput = output
    let start = ContinuousClock.now
    try process.run()
    let line = output.fileHandleForReading.availableData
    let elapsed = (ContinuousClock.now - start).milliseconds
    process.waitUntilExit()
    guard let bytes = Double(String(decoding: line, as: UTF8.self).filter(\.isNumber)) else {
      throw BenchError("The memory is not known.")
    }
    return (elapsed, bytes / 1_048_576)
  }

  /// Opens the database in a folder, and prints the bytes of resident memory.
  static func printMemory(of folder: URL, _ bench: Workbench) async throws {
    let client = try await bench.client(InstantBackend(), at: folder)
    for await update in client.conversations.changes where !update.snapshot.isEmpty { break }
    Bench.write("\(Int(try residentMemory(of: "self")))\n")
    await client.close()
  }

  /// Removes the files of a folder from the system's page cache.
  static func forget(_ folder: URL) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let path = folder.appending(path: name).path
      guard forget_file(path) == 0 else { throw BenchError("The page cache keeps \(name).") }
    }
  }
}
