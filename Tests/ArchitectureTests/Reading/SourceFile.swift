/// A Swift file of the repository, read in the ways that the rules need.
struct SourceFile: Sendable {
  /// From the root of the repository, such as `Sources/Skein/Sending/OutboxLane.swift`.
  let path: String
  /// Its lines as they stand in the file.
  let lines: [Substring]
  /// Its comments by line; all else is blank.
  let commentLines: [Substring]
  /// Its code, without comments and without what is inside literals.
  let tokens: [Token]

  init(path: String, text: String) {
    self.path = path
    let scanner = SourceScanner(text)
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    commentLines = String(decoding: scanner.comments, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    tokens = Token.tokens(in: scanner.code)
  }

  private var components: [Substring] { path.split(separator: "/") }

  /// Its name without folders.
  var name: Substring { components.last ?? "" }
  /// The target it belongs to: the folder below `Sources` or `Tests`.
  var target: String { components.count > 2 ? String(components[1]) : "" }
  var isInSources: Bool { path.hasPrefix("Sources/") }
  var isInTests: Bool { path.hasPrefix("Tests/") }

  /// What the comment block directly above `line` says, its tool directives left out.
  func reason(above line: Int) -> String {
    var reasons: [Substring] = []
    var index = line - 2
    while index >= 0, let comment = wholeLineComment(at: index) {
      if !comment.contains("swift-format-ignore") { reasons.append(comment) }
      index -= 1
    }
    return reasons.reversed().joined(separator: " ")
  }

  /// The comment that fills the line at `index` from 0, without its slashes; nil where there is code or nothing.
  func wholeLineComment(at index: Int) -> Substring? {
    let blanks = lines[index].prefix { $0 == " " }
    let comment = lines[index].dropFirst(blanks.count)
    guard comment.hasPrefix("//"), commentLines[index].dropFirst(blanks.count).hasPrefix("//") else {
      return nil
    }
    return comment.drop { $0 == "/" || $0 == " " }
  }
}
