import SkeinTerminal

/// Writes the texts of `--help`.
enum Help {
  /// The text of `skein --help`.
  static func overview(of commands: [Usage]) -> String {
    let rows = commands.map { ($0.name, $0.summary) }
    return """
      Skein, a chat engine: a server to try it with, and clients for the terminal and the browser.

      skein COMMAND [OPTIONS]

      \(columns(rows))

      skein COMMAND --help describes a command, skein --version prints the version.

      """
  }

  /// The text of `skein COMMAND --help`.
  static func text(of usage: Usage) -> String {
    let options = usage.options + [.help]
    let synopsis = usage.options.map { $0.isRequired ? $0.spelling : "[\($0.spelling)]" }
    var text = """
      \(usage.summary)

      \(filled(["skein", usage.name] + synopsis, indent: 6))

      \(columns(options.map { ($0.spelling, $0.help) }))

      """
    if !usage.notes.isEmpty { text += "\n\(usage.notes)\n" }
    return text
  }

  /// Two columns in 80 characters, the first as wide as its widest entry.
  static func columns(_ rows: [(String, String)]) -> String {
    let width = rows.map(\.0.columns).max() ?? 0
    return rows.flatMap { name, text in
      text.wrapped(to: max(80 - width - 4, 20)).enumerated().map { index, line in
        let name = index == 0 ? name : ""
        return "  \(name.padded(to: width))  \(line)"
      }
    }.joined(separator: "\n")
  }

  /// Words in lines of at most 80 characters; all lines but the first are indented.
  private static func filled(_ words: [String], indent: Int) -> String {
    var lines = [""]
    for word in words {
      let last = lines[lines.count - 1]
      if last.isEmpty {
        lines[lines.count - 1] = word
      } else if last.count + 1 + word.count <= 80 {
        lines[lines.count - 1] += " \(word)"
      } else {
        lines.append(String(repeating: " ", count: indent) + word)
      }
    }
    return lines.joined(separator: "\n")
  }
}
