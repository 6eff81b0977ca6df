/// The tests of a module stand in the same folders as its sources.
enum TestRoomRule {
  /// Folders of tests that no module has: shared code of the tests, the rules broken on purpose that the
  /// conformance checks must notice, and one life on every style of server.
  private static let own: Set = ["Support", "SkeinTestingTests/Faults", "SkeinTestingTests/Life"]
  /// The tests of the engine test the model too, which the engine re-exports.
  private static let tested = ["SkeinTests": ["Skein", "SkeinModel"]]

  static func violations(in files: [SourceFile]) -> [Violation] {
    let sources = files.filter(\.isInSources)
    let modules = Set(sources.map(\.target))
    let rooms = Set(sources.compactMap { file in file.room.map { "\(file.target)/\($0)" } })
    return files.filter(\.isInTests).compactMap { file in
      let named = tested[file.target] ?? [String(file.target.dropLast("Tests".count))]
      guard let room = file.room, named.allSatisfy(modules.contains),
        !own.contains(room), !own.contains("\(file.target)/\(room)"),
        !named.contains(where: { rooms.contains("\($0)/\(room)") })
      else { return nil }
      return Violation(
        path: file.path, line: 1,
        message: "\(named.joined(separator: " and ")) has no folder \(room): move the tests to the folder of "
          + "the code that they test, or to Support.")
    }
  }
}
