/// A Swift file of the repository: its lines, comments and tokens.
struct SourceFile: Sendable {
  /// The path from the root, such as `Sources/SkeinSockets/FrameQueue.swift`.
  let path: String
  let text: String
  /// All lines, unchanged.
  let lines: [Substring]
  /// All lines with everything but comments blanked.
  let commentLines: [Substring]
  /// The code, without comments and the contents of literals.
  let tokens: [Token]

  init(path: String, text: String) {
    (self.path, self.text) = (path, text)
    let scanner = SourceScanner(text)
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    commentLines = String(decoding: scanner.comments, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    tokens = Token.tokens(in: scanner.code)
  }

  private var components: [Substring] { path.split(separator: "/") }

  /// The name without folders.
  var name: Substring { components.last ?? "" }
  /// The target that the file belongs to: the folder below `Sources` or `Tests`.
  var target: String { components.count > 2 ? String(components[1]) : "" }
  /// The first folder below the target's; nil if the file is in the target's own folder.
  var room: String? { components.count > 3 ? String(components[2]) : nil }
  var isInSources: Bool { path.hasPrefix("Sources/") }
  var isInTests: Bool { path.hasPrefix("Tests/") }

  /// The text of the comment block directly above `line`, without directives to tools.
  func reason(above line: Int) -> String {
    var reasons: [Substring] = []
    var index = line - 2
    while index >= 0, let comment = wholeLineComment(at: index) {
      if !comment.contains("swift-format-ignore") { reasons.append(comment) }
      index -= 1
    }
    return reasons.reversed().joined(separator: " ")
  }

  /// The text of the comment that fills the line at `index`, counted from 0; nil if there is none.
  func wholeLineComment(at index: Int) -> Substring? {
    let blanks = lines[index].prefix { $0 == " " }
    let comment = lines[index].dropFirst(blanks.count)
    guard comment.hasPrefix("//"), commentLines[index].dropFirst(blanks.count).hasPrefix("//") else {
      return nil
    }
    return comment.drop { $0 == "/" || $0 == " " }
  }
}
