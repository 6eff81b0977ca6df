import Foundation

/// The files of this repository.
struct Repository: Sendable {
  let root: URL
  /// Every Swift file below `Sources` and `Tests`, in the order of their paths.
  let files: [SourceFile]
  /// Every Swift file below `Examples`, in the order of their paths.
  let examples: [SourceFile]
  /// The Markdown documents in the root and below `Documentation` and `Sources`, with their paths from the
  /// root.
  let documents: [(path: String, text: String)]

  /// The repository that contains this file.
  static let shared = Result { try Repository(root: URL(filePath: #filePath).ancestor(4)) }

  init(root: URL) throws {
    self.root = root
    let read = { (folders: [String]) in
      try Repository.paths(below: folders, of: root, suffix: ".swift").map {
        SourceFile(path: $0, text: try String(contentsOf: root.appending(path: $0), encoding: .utf8))
      }
    }
    files = try read(["Sources", "Tests"])
    examples = try read(["Examples"])
    let top = try FileManager.default.contentsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".md") }
    let documentation = try Repository.paths(below: ["Documentation", "Sources"], of: root, suffix: ".md")
    documents = try (top.sorted() + documentation).map {
      ($0, try String(contentsOf: root.appending(path: $0), encoding: .utf8))
    }
  }

  private static func paths(below folders: [String], of root: URL, suffix: String) throws -> [String] {
    try folders.flatMap { folder -> [String] in
      let url = root.appending(path: folder)
      guard FileManager.default.fileExists(atPath: url.path) else { return [] }
      return try FileManager.default.subpathsOfDirectory(atPath: url.path)
        .filter { $0.hasSuffix(suffix) }.map { "\(folder)/\($0)" }.sorted()
    }
  }
}

extension URL {
  /// The folder `levels` above.
  func ancestor(_ levels: Int) -> URL {
    (0..<levels).reduce(self) { url, _ in url.deletingLastPathComponent() }
  }
}
