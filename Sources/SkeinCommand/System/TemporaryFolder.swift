import Foundation

/// A folder with the files of one command.
struct TemporaryFolder: Sendable {
  let url: URL

  /// Creates a folder with a unique name. If a signal ends the process at once, the folder is removed.
  init(_ name: String, in parent: URL = FileManager.default.temporaryDirectory) throws {
    url = parent.appending(path: "\(name)-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    TerminationSignals.atEnd { [self] in remove() }
  }

  /// Removes the folder, while other threads may still be creating files in it.
  func remove() {
    for _ in 1...100 where FileManager.default.fileExists(atPath: url.path) {
      try? FileManager.default.removeItem(at: url)
    }
  }
}
