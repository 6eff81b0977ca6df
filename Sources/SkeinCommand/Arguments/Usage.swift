/// A command. Its arguments are parsed, and its help is written, according to its options.
struct Usage: Sendable {
  /// The name after `skein`.
  let name: String
  /// The purpose in one sentence.
  let summary: String
  let options: [Option]
  /// Further paragraphs of the help, such as the lines that can be typed while the command runs.
  var notes = ""
  /// Runs the command and returns the exit status.
  let run: @Sendable (Arguments) async throws -> Int32
}

/// A `--name value` pair, or a `--name` alone.
struct Option: Sendable, Hashable {
  let name: String
  /// The placeholder of the value in the help; nil for an option without a value.
  let value: String?
  let help: String
  var isRequired = false

  /// `--name VALUE`, as in the help and in errors.
  var spelling: String { value.map { "--\(name) \($0)" } ?? "--\(name)" }

  static let help = Option(name: "help", value: nil, help: "Show this text.")
}

/// The command line or a typed line is invalid, and nothing was done.
struct UsageError: Error, Sendable, Equatable, CustomStringConvertible {
  /// One sentence for a person.
  let description: String
  init(_ description: String) { self.description = description }
}
