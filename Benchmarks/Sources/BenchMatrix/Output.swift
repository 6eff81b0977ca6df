import Foundation

/// The aligned table on standard output, and the progress on standard error.
enum Output {
  static func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

  static func progress(_ text: String) {
    FileHandle.standardError.write(Data("  \(text) …\n".utf8))
  }

  static func heading(_ title: String, _ cells: String...) { write("\n" + row(title, cells)) }

  static func line(_ title: String, _ cells: String...) { write(row(title, cells)) }

  static func number(_ value: Double) -> String {
    String(format: value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f", value)
  }

  private static func row(_ title: String, _ cells: [String]) -> String {
    let width = 42
    let padding = String(repeating: " ", count: max(width - title.count, 0))
    return title + padding
      + cells.map { String(repeating: " ", count: max(11 - $0.count, 1)) + $0 }.joined() + "\n"
  }
}

extension [Double] {
  var median: Double { sorted()[count / 2] }
}

extension Duration {
  var seconds: Double { self / .seconds(1) }
}
