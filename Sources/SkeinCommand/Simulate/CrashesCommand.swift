import Foundation
import SkeinSimulation
import SkeinTerminal

/// `skein crashes`: kills a client at each statement of each step of its work.
enum CrashesCommand {
  private static let every = Option(
    name: "every", value: "N", help: "Strike at every Nth statement, default 1: at each.")

  static let usage = Usage(
    name: "crashes",
    summary: "Kills a client at each statement of each step of its work.",
    options: [every],
    notes: """
      Each statement of each step gets a kill, a power cut and a full disk, in a world of its own.
      Then the client starts again, and every promise is checked. The status is 1 if one was broken.
      """, run: run)

  private static func run(_ arguments: Arguments) async throws -> Int32 {
    let every = try arguments.number(every, in: 1...1000) ?? 1
    let folder = try TemporaryFolder("skein-worlds", in: Simulation.folder)
    defer { folder.remove() }
    let cells = try await CrashRun(every: every, in: folder.url).cells()
    StandardOutput.write(table(of: cells))
    let lines = cells.flatMap { cell in
      cell.violations.map {
        "  \(cell.step.rawValue), \(cell.fault.rawValue) after \($0.step) statements: \($0.invariant) \($0.what)\n"
      }
    }
    StandardOutput.write(
      lines.isEmpty
        ? "\nEvery promise was kept.\n"
        : "\n\(lines.count) violations:\n" + lines.prefix(50).joined())
    return lines.isEmpty ? 0 : 1
  }

  /// A row for each step, with the number of statements at which each fault struck.
  private static func table(of cells: [KillMatrix.Cell]) -> String {
    let faults = KillMatrix.faults
    var rows = [["step"] + faults.map(\.rawValue)]
    for step in KilledStep.allCases {
      rows.append([step.rawValue] + cells.filter { $0.step == step }.map { "\($0.statements)" })
    }
    let totals = faults.map { fault in
      cells.filter { $0.fault == fault }.reduce(0) { $0 + $1.statements }
    }
    rows.append(["in all"] + totals.map { "\($0)" })
    let width = rows.map { $0[0].count }.max() ?? 0
    return rows.map { row in
      row[0] + String(repeating: " ", count: width - row[0].count)
        + row.dropFirst().map { String(repeating: " ", count: max(22 - $0.count, 1)) + $0 }.joined() + "\n"
    }.joined()
  }
}
