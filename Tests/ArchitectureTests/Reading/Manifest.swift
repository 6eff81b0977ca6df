import Foundation

/// The targets and dependencies of `Package.swift`, as the package manager prints them.
struct Manifest: Decodable, Sendable {
  struct Target: Decodable, Sendable {
    let name: String
    let type: Kind
    let dependencies: [Dependency]

    init(_ name: String, _ type: Kind = .regular, dependencies: [String] = []) {
      self.name = name
      self.type = type
      self.dependencies = dependencies.map(Dependency.init)
    }
  }

  enum Kind: String, Decodable, Sendable {
    case regular, executable, test, system, macro, plugin, binary
  }

  /// Encoded as `{"byName": ["Skein", null]}`; the other kinds (`target`, `product`) start with the name too.
  struct Dependency: Decodable, Sendable {
    let name: String

    init(_ name: String) { self.name = name }

    init(from decoder: any Decoder) throws {
      let kinds = try decoder.singleValueContainer().decode([String: FirstString].self)
      guard let kind = kinds.first else {
        throw DecodingError.dataCorrupted(
          .init(codingPath: decoder.codingPath, debugDescription: "A dependency without a name."))
      }
      name = kind.value.text
    }

    private struct FirstString: Decodable {
      let text: String

      init(from decoder: any Decoder) throws {
        var elements = try decoder.unkeyedContainer()
        text = try elements.decode(String.self)
      }
    }
  }

  let targets: [Target]

  /// Runs the package manager in a separate scratch folder, since `swift test` locks the usual one.
  static func read(packageAt root: URL) throws -> Manifest {
    let scratch = FileManager.default.temporaryDirectory.appending(path: "skein-manifest-\(UUID())")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: scratch) }
    // `popen` replaces Foundation's `Process`, which can crash on Linux (swift-corelibs-foundation, pull
    // request 5472).
    let (json, complaints) = (scratch.appending(path: "output"), scratch.appending(path: "errors"))
    let command = """
      exec swift package --package-path \(quoted(root)) --scratch-path \(quoted(scratch)) dump-package \
      >\(quoted(json)) 2>\(quoted(complaints))
      """
    guard let shell = popen(command, "r"), pclose(shell) == 0 else {
      throw ManifestError(message: try String(contentsOf: complaints, encoding: .utf8))
    }
    return try JSONDecoder().decode(Manifest.self, from: Data(contentsOf: json))
  }

  /// Quotes a path for a shell.
  private static func quoted(_ file: URL) -> String {
    "'" + file.path.replacing("'", with: "'\\''") + "'"
  }
}

/// `swift package dump-package` failed.
struct ManifestError: Error {
  /// The error output of the command.
  let message: String
}
