/// The violations of a rule that is not kept everywhere yet, counted by module.
struct Tally: CustomStringConvertible {
  let violations: [Violation]

  /// The total, the counts per module, highest first, and the violations if there are at most 50.
  var description: String {
    let modules = Dictionary(grouping: violations, by: \.module).mapValues(\.count)
      .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.key) \($0.value)" }
    let places = violations.count <= 50 ? violations.map { "\n\($0)" } : []
    return "\(violations.count) in all: \(modules.joined(separator: ", "))\(places.joined())"
  }
}

extension Violation {
  /// The folder below `Sources` or `Tests`, otherwise the first folder of the path.
  fileprivate var module: String {
    let folders = path.split(separator: "/").dropLast()
    let isTarget = folders.first == "Sources" || folders.first == "Tests"
    return String((isTarget ? folders.dropFirst() : folders).first ?? "")
  }
}
