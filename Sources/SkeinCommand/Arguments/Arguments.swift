import Foundation

/// A parsed command line: each option at most once, with its value as it was typed.
struct Arguments: Sendable {
  private let usage: Usage
  private var values: [String: String] = [:]

  /// Parses `--name value` and `--name=value`.
  ///
  /// - Throws: ``UsageError`` for an unknown option, a missing or unexpected value, an option given twice,
  ///   or, unless `--help` is given, a missing required option.
  init(_ words: [String], of usage: Usage) throws {
    self.usage = usage
    var rest = words[...]
    while let word = rest.popFirst() {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let option = try option(named: word == "-h" ? "--help" : parts[0])
      guard values[option.name] == nil else { throw error("--\(option.name) is given twice") }
      values[option.name] = try value(of: option, glued: parts.count == 2 ? parts[1] : nil, &rest)
    }
    guard !isSet(.help) else { return }
    let missing = usage.options.filter { $0.isRequired && values[$0.name] == nil }.map(\.spelling)
    if let last = missing.last {
      let others = missing.dropLast().joined(separator: ", ")
      throw error(others.isEmpty ? "\(last) is missing" : "\(others) and \(last) are missing")
    }
  }

  private func option(named word: String) throws -> Option {
    let options = usage.options + [.help]
    if let option = options.first(where: { "--\($0.name)" == word }) { return option }
    throw error("there is no option \(word)")
  }

  private func value(of option: Option, glued: String?, _ rest: inout ArraySlice<String>) throws -> String {
    guard let placeholder = option.value else {
      if glued != nil { throw error("--\(option.name) takes no value") }
      return ""
    }
    if let glued { return glued }
    // If the next word begins with two dashes, the value was probably forgotten and the word is an option.
    // `--name=--x` passes a value with dashes.
    guard let next = rest.first, !next.hasPrefix("--") else {
      throw error("--\(option.name) needs a value: \(placeholder)")
    }
    rest.removeFirst()
    return next
  }

  private func error(_ text: String) -> UsageError {
    UsageError("\(text); see skein \(usage.name) --help.")
  }

  // MARK: Typed values

  func isSet(_ option: Option) -> Bool { values[option.name] != nil }

  /// The value as it was typed; nil if the option was not given.
  func text(_ option: Option) -> String? { values[option.name] }

  /// A whole number within a range.
  func number(_ option: Option, in range: ClosedRange<Int>) throws -> Int? {
    guard let text = values[option.name] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw error(
        "--\(option.name) is a number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\"")
    }
    return number
  }

  /// A number within a range, with or without a fraction.
  func decimal(_ option: Option, in range: ClosedRange<Double>) throws -> Double? {
    guard let text = values[option.name] else { return nil }
    guard let number = Double(text), range.contains(number) else {
      throw error(
        "--\(option.name) is a number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\"")
    }
    return number
  }

  /// The value of the choice whose word was typed; nil if the option was not given.
  func choice<Value>(_ option: Option, of choices: [(word: String, value: Value)]) throws -> Value? {
    guard let text = values[option.name] else { return nil }
    guard let choice = choices.first(where: { $0.word == text }) else {
      let words = choices.map(\.word)
      throw error(
        "--\(option.name) is \(words.dropLast().joined(separator: ", ")) or \(words.last ?? ""), "
          + "not \"\(text)\"")
    }
    return choice.value
  }

  /// A folder, which need not exist, relative to the working directory.
  func folder(_ option: Option) throws -> URL? {
    guard let text = values[option.name] else { return nil }
    guard !text.isEmpty else { throw error("--\(option.name) is a folder") }
    return URL(filePath: text, directoryHint: .isDirectory)
  }

  /// The address of a server: http or https, with a host.
  func server(_ option: Option) throws -> URL? {
    guard let text = values[option.name] else { return nil }
    guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()),
      let host = url.host(), !host.isEmpty
    else {
      throw error("--\(option.name) is an address such as http://127.0.0.1:8080, not \"\(text)\"")
    }
    return url
  }
}
