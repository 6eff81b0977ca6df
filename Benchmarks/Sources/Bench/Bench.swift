import Foundation

struct BenchError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Measures the engine through its public API, against C in the same run.
@main
struct Bench {
  static let help = """
    Measures Skein: sending, receiving and opening, against the same work in C in the same run.

    bench [--short] [--json]

      --short  Fewer and smaller measurements, in about a minute.
      --json   Print one JSON object for each figure.
      --help   Show this text.

    """

  static func main() async throws {
    let options = Set(CommandLine.arguments.dropFirst())
    if options.contains("--help") { return write(help) }
    guard options.isSubset(of: ["--short", "--json"]) else {
      FileHandle.standardError.write(Data("bench: unknown option; see bench --help.\n".utf8))
      exit(2)
    }
    let isShort = options.contains("--short")
    let table = Table(isJSON: options.contains("--json"))
    let bench = try Workbench()
    defer { bench.remove() }
    let rounds = isShort ? 1 : 3
    table.begin()
    table.add(
      try await Sending(bench: bench, rounds: rounds).figures(isShort ? [1000] : [1000, 3000, 10_000]))
    let receiving = Receiving(bench: bench, rounds: rounds)
    table.add(try await receiving.pushes(isShort ? [1000] : [1000, 10_000, 30_000, 100_000]))
    table.add(try await receiving.gaps(isShort ? [100] : [10, 100, 1000, 3000]))
    for (chats, messages) in isShort ? [(20, 200)] : [(500, 200), (5000, 20), (10, 10_000)] {
      table.add([try await receiving.intake(chats: chats, messages: messages)])
    }
    let chats = isShort ? 500 : 10_000
    table.add(try await Opening(bench: bench, rounds: rounds).figures(chats: chats, messages: 10))
  }

  static func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
}

/// Prints figures as they are measured.
struct Table {
  let isJSON: Bool

  func begin() {
    guard !isJSON else { return }
    Bench.write(row("figure", "value", "unit", "budget", "", "to C", "spread"))
  }

  func add(_ figures: [Figure]) {
    for figure in figures {
      if isJSON {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let data = (try? encoder.encode(figure)) ?? Data()
        Bench.write(String(decoding: data, as: UTF8.self) + "\n")
      } else {
        Bench.write(
          row(
            figure.id, text(figure.value), figure.unit, figure.budget.map(text) ?? "–",
            figure.budget == nil ? "" : figure.ok ? "ok" : "over", figure.ratio.map(text) ?? "–",
            "\(text(figure.spread[0])) – \(text(figure.spread[1]))"))
      }
    }
  }

  private func text(_ value: Double) -> String {
    String(format: value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f", value)
  }

  private func row(_ cells: String...) -> String {
    let widths = [30, 10, 11, 9, 5, 7, 0]
    let padded = zip(cells, widths).enumerated().map { index, cell in
      let space = String(repeating: " ", count: max(cell.1 - cell.0.count, 0))
      return index == 0 || index == 2 || index == 4 || index == 6 ? cell.0 + space : space + cell.0
    }
    return padded.joined(separator: "  ") + "\n"
  }
}
