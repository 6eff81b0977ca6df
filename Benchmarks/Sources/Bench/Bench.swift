import Foundation

struct BenchError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Measures Skein through its public API. Some figures are compared with C, or with the standard library, in
/// the same run.
@main
struct Bench {
  static let help = """
    Measures Skein: sending, receiving, opening, searching, lists and the server. Some figures are compared with the
    same work in C, or by the standard library, in the same run.

    bench [--short] [--json] [--limits FILE] [--picture FILE] [PART…]

      PART           Measure only these parts: \(Part.allCases.map(\.rawValue).joined(separator: ", ")).
      --short        Fewer and smaller measurements, in seconds.
      --json         Print one JSON object for each figure.
      --limits FILE  Fail if a ratio or a count is more than 1.5 times worse than in this file, or is not measured.
      --picture FILE Draw how the figures grow, as SVG.
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
    var picture: URL?
    if let place = arguments.firstIndex(of: "--picture"), place + 1 < arguments.count {
      picture = URL(fileURLWithPath: arguments[place + 1])
      arguments.removeSubrange(place...place + 1)
    }
    if arguments.first == Opening.memoryOption, let folder = arguments.last {
      let bench = try Workbench()
      defer { bench.remove() }
      return try await Opening.printMemory(of: URL(fileURLWithPath: folder), bench)
    }
    if arguments.first == ServerProcess.option, let folder = arguments.last {
      return try await ServerProcess.serve(URL(fileURLWithPath: folder))
    }
    let options = Set(arguments.filter { $0.hasPrefix("-") })
    if options.contains("--help") { return write(help) }
    let named = arguments.filter { !$0.hasPrefix("-") }
    let parts = named.isEmpty ? Part.allCases : Part.allCases.filter { named.contains($0.rawValue) }
    guard options.isSubset(of: ["--short", "--json"]), named.isEmpty || parts.count == named.count else {
      FileHandle.standardError.write(Data("bench: unknown argument; see bench --help.\n".utf8))
      exit(2)
    }
    let table = Table(isJSON: options.contains("--json"))
    let bench = try Workbench()
    defer { bench.remove() }
    table.begin()
    var figures: [Figure] = []
    for part in parts {
      try await part.measure(bench, isShort: options.contains("--short")) {
        table.add($0)
        figures += $0
      }
    }
    if let picture { try Data(Picture(of: figures).svg.utf8).write(to: picture) }
    let known = Set(figures.map(\.id))
    let slower = figures.filter { figure in limits[figure.id].map(figure.isWorse) ?? false }
    for figure in slower {
      write("\(figure.id) is more than 1.5 times worse than its limit of \(limits[figure.id] ?? 0).\n")
    }
    let missing = named.isEmpty ? limits.keys.filter { !known.contains($0) }.sorted() : []
    for id in missing { write("\(id) has a limit and is not measured.\n") }
    guard slower.isEmpty, missing.isEmpty else {
      bench.remove()
      exit(1)
    }
  }

  static func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
}

/// The parts of the measurements, in the order in which they are made.
enum Part: String, CaseIterable {
  case counts, storage, sending, lanes, receiving, edits, intake, opening, large, lists, cards, server,
    sockets, fanout, http

  /// Measures the part.
  ///
  /// - Parameter add: called with the figures as soon as they are measured.
  func measure(_ bench: Workbench, isShort: Bool, add: ([Figure]) -> Void) async throws {
    let rounds = isShort ? 1 : 3
    let receiving = Receiving(bench: bench, rounds: rounds)
    switch self {
    case .counts: add(try await Counts(bench: bench, isShort: isShort).figures())
    case .storage:
      let storage = Storage(bench: bench, rounds: isShort ? 3 : 9)
      add(try await storage.figures(rows: 20_000, pages: isShort ? 500 : 2000))
    case .sending:
      add(try await Sending(bench: bench, rounds: rounds).figures(isShort ? [1000] : [1000, 3000, 10_000]))
    case .lanes:
      add(try await Growth(bench: bench, rounds: rounds).lanes(isShort ? [1, 100] : [1, 10, 100, 1000]))
    case .edits:
      add(try await Growth(bench: bench, rounds: rounds).edits(isShort ? [1, 100] : [1, 10, 100, 1000]))
    case .receiving:
      add(try await receiving.pushes(isShort ? [1000] : [1000, 10_000, 30_000, 100_000]))
      add(try await receiving.gaps(isShort ? [100] : [10, 100, 1000, 3000]))
    case .intake:
      for (chats, messages) in isShort ? [(20, 200)] : [(500, 200), (5000, 20), (10, 10_000)] {
        add([try await receiving.intake(chats: chats, messages: messages)])
      }
    case .opening:
      let opening = Opening(bench: bench, rounds: max(rounds, 5))
      if !isShort {
        for chats in [10, 100, 1000] { add([try await opening.first(chats: chats, messages: 10)]) }
      }
      add(try await opening.figures(chats: isShort ? 500 : 10_000, messages: 10))
    case .large: add(try await Large(bench: bench).figures(isShort ? 20_000 : 1_000_000))
    case .lists: add(try Lists().figures(isShort ? [100, 10_000] : [100, 10_000, 1_000_000]))
    case .cards: add(try await Cards(bench: bench, rounds: rounds).figures(isShort ? 500 : 2000))
    case .sockets: add(try await Sockets(bench: bench, isShort: isShort).figures())
    case .fanout: add(try await Fanout(bench: bench, isShort: isShort).figures())
    case .server: add(try await Serving(bench: bench, isShort: isShort).figures())
    case .http:
      add(try await Requests(bench: bench, rounds: isShort ? 3 : 9).figures(count: isShort ? 1000 : 5000))
    }
  }
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
