import Foundation

struct BenchError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Measures the engine through its public API, against C in the same run.
@main
struct Bench {
  static let help = """
    Measures Skein: sending, receiving, opening, searching, lists and the server. Most figures are compared with the
    same work in C, or by the standard library, in the same run.

    bench [--short] [--json] [--limits FILE]

      --short        Fewer and smaller measurements, in seconds.
      --json         Print one JSON object for each figure.
      --limits FILE  Fail if a ratio is more than 1.5 times worse than the ratio in this file.
      --help         Show this text.

    """

  static func main() async throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    var limits: [String: Double] = [:]
    if let place = arguments.firstIndex(of: "--limits"), place + 1 < arguments.count {
      let file = URL(fileURLWithPath: arguments[place + 1])
      limits = try JSONDecoder().decode([String: Double].self, from: Data(contentsOf: file))
      arguments.removeSubrange(place...place + 1)
    }
    let options = Set(arguments)
    if options.contains("--help") { return write(help) }
    guard options.isSubset(of: ["--short", "--json"]) else {
      FileHandle.standardError.write(Data("bench: unknown option; see bench --help.\n".utf8))
      exit(2)
    }
    let table = Table(isJSON: options.contains("--json"))
    let bench = try Workbench()
    defer { bench.remove() }
    table.begin()
    let figures = try await measure(bench, isShort: options.contains("--short"), into: table)
    let known = Set(figures.map(\.id))
    let slower = figures.filter { figure in limits[figure.id].map(figure.isWorse) ?? false }
    for figure in slower {
      write("\(figure.id) is more than 1.5 times worse than its limit of \(limits[figure.id] ?? 0).\n")
    }
    for id in limits.keys.sorted() where !known.contains(id) {
      write("\(id) has a limit and is not measured.\n")
    }
    guard slower.isEmpty, known.isSuperset(of: limits.keys) else {
      bench.remove()
      exit(1)
    }
  }

  private static func measure(_ bench: Workbench, isShort: Bool, into table: Table) async throws -> [Figure] {
    var all: [Figure] = []
    func add(_ figures: [Figure]) {
      table.add(figures)
      all += figures
    }
    let rounds = isShort ? 1 : 3
    add(try await Sending(bench: bench, rounds: rounds).figures(isShort ? [1000] : [1000, 3000, 10_000]))
    let receiving = Receiving(bench: bench, rounds: rounds)
    add(try await receiving.pushes(isShort ? [1000] : [1000, 10_000, 30_000, 100_000]))
    add(try await receiving.gaps(isShort ? [100] : [10, 100, 1000, 3000]))
    for (chats, messages) in isShort ? [(20, 200)] : [(500, 200), (5000, 20), (10, 10_000)] {
      add([try await receiving.intake(chats: chats, messages: messages)])
    }
    add(try await Opening(bench: bench, rounds: rounds).figures(chats: isShort ? 500 : 10_000, messages: 10))
    add(try await Large(bench: bench).figures(isShort ? 20_000 : 1_000_000))
    add(try Lists().figures(isShort ? [100, 10_000] : [100, 10_000, 1_000_000]))
    add(try await Serving(bench: bench, isShort: isShort).figures())
    return all
  }

  static func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
}

/// Prints figures as they are measured.
struct Table {
  let isJSON: Bool

  func begin() {
    guard !isJSON else { return }
    Bench.write(row("figure", "value", "unit", "budget", "", "ratio", "spread"))
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
