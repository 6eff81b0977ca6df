/// What one command is for and what it takes: its arguments are read, and its help is written, from here.
struct Usage: Sendable {
  /// The word after `skein`.
  let name: String
  /// One sentence.
  let summary: String
  let options: [Option]
  /// Further paragraphs of the help, such as what can be typed while the command runs.
  var notes = ""
  /// Carries the command out; the answer is the exit status.
  let run: @Sendable (Arguments) async throws -> Int32
}

/// One `--name value` pair, or a `--name` that stands alone.
struct Option: Sendable, Hashable {
  let name: String
  /// What the help calls the value; nil for an option that takes none.
  let value: String?
  let help: String
  var isRequired = false

  /// `--name VALUE`, as in the help and in errors.
  var spelling: String { value.map { "--\(name) \($0)" } ?? "--\(name)" }

  static let help = Option(name: "help", value: nil, help: "Show this text.")
}

/// The command line does not say what it must; the command did nothing.
struct UsageError: Error, Sendable, Equatable, CustomStringConvertible {
  /// One sentence for a person.
  let description: String
  init(_ description: String) { self.description = description }
}
