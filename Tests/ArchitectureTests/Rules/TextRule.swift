import Foundation

/// Files are short, finished and free of local paths.
enum TextRule {
  private static let longest = 500
  private static let unfinished = ["TODO", "FIXME", "XXX"]
  private static let places = ["/work/", "/root/", "/tmp/", "/home/"]

  static func violations(in file: SourceFile) -> [Violation] {
    var violations: [Violation] = []
    let count = file.lines.last == "" ? file.lines.count - 1 : file.lines.count
    if count > longest {
      violations.append(
        Violation(
          path: file.path, line: longest + 1,
          message: "\(count) lines, and \(longest) are the most: split it by concept, as Type+Aspect.swift."))
    }
    let marks = unfinished.filter(file.text.hasBytes)
    let mayMention = file.isInSources && ["gent", "ession"].contains(where: file.text.hasBytes)
    for (index, comment) in file.commentLines.enumerated() where !marks.isEmpty || mayMention {
      for mark in marks where words(of: comment).contains(mark[...]) {
        violations.append(
          Violation(
            path: file.path, line: index + 1,
            message: "\(mark): finish it now, or take it out and open an issue."))
      }
      if mayMention, speaksOfItsMaking(comment) {
        violations.append(
          Violation(
            path: file.path, line: index + 1,
            message: "the comment speaks of who wrote the code: say what a reader of the code needs."))
      }
    }
    return violations + (file.isInSources ? machinePaths(path: file.path, text: file.text, places) : [])
  }

  /// Documents may use `/tmp/` in examples, but no other local path.
  static func violations(inDocument path: String, text: String) -> [Violation] {
    machinePaths(path: path, text: text, places.filter { $0 != "/tmp/" })
  }

  private static func machinePaths(path: String, text: String, _ places: [String]) -> [Violation] {
    let places = places.filter(text.hasBytes)
    guard !places.isEmpty else { return [] }
    return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap { index, line in
      places.filter { line.containsAtWordStart($0) }.map {
        Violation(
          path: path, line: index + 1,
          message: "\($0) is a path of one machine: take it from the caller or from FileManager, "
            + "or write a path that means something everywhere.")
      }
    }
  }

  private static func words(of line: Substring) -> [Substring] {
    line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
  }

  /// Whether a comment mentions its author; *user agent* is a term of HTTP and allowed.
  private static func speaksOfItsMaking(_ comment: Substring) -> Bool {
    let words = words(of: comment).map { $0.lowercased() }
    return words.indices.contains { index in
      let before = index > 0 ? words[index - 1] : ""
      switch words[index] {
      case "agent", "agents": return before != "user"
      case "session", "sessions": return before == "coding" || before == "working"
      default: return false
      }
    }
  }
}

extension Substring {
  /// Whether `path` occurs other than as the tail of a longer path.
  fileprivate func containsAtWordStart(_ path: String) -> Bool {
    let (text, path) = (Array(utf8), Array(path.utf8))
    return text.indices.contains { index in
      text[index...].starts(with: path)
        && (index == 0 || !Token.isWordByte(text[index - 1]) && !"./-~})".utf8.contains(text[index - 1]))
    }
  }
}

extension String {
  /// Whether a text occurs, byte by byte: much faster than by characters.
  fileprivate func hasBytes(_ text: String) -> Bool { Data(utf8).range(of: Data(text.utf8)) != nil }
}
