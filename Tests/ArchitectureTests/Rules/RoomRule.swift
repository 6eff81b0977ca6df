/// A room of a module uses only the rooms that its row in ``Rooms`` lists.
///
/// The rule compares names, without type information. It finds the mentions of types that unlisted rooms
/// declare at file scope, and the uses of members that unlisted rooms declare in extensions. A name that the
/// same file or an allowed room also declares passes.
struct RoomRule {
  let rooms: Rooms

  private static let table = "Tests/ArchitectureTests/Rules/Rooms.swift"

  func violations(in files: [SourceFile]) -> [Violation] {
    let files = files.filter { $0.isInSources && $0.target == rooms.module }
    let sources = files.map { file in
      Source(file: file, room: file.room ?? rooms.module, declared: Declarations(in: file.tokens))
    }
    return tableViolations(Set(sources.map(\.room))) + uses(among: sources)
  }

  private struct Source {
    let file: SourceFile
    let room: String
    let declared: Declarations
  }

  // MARK: - The table

  /// The table lists the module's rooms and no others, and its arrows form no cycle.
  private func tableViolations(_ existing: Set<String>) -> [Violation] {
    let listed = Set(rooms.uses.keys)
    let named = rooms.uses.values.reduce(into: Set<String>()) { $0.formUnion($1) }
    let cyclic = roomsOnCycles
    var messages = existing.subtracting(listed).sorted().map {
      "\($0) has no row: add one that says which rooms of \(rooms.module) it may use."
    }
    messages += listed.subtracting(existing).sorted().map {
      "\(rooms.module) has no room \($0): remove its row."
    }
    messages += named.subtracting(listed).sorted().map { "the row of a room names \($0), which has no row." }
    if !cyclic.isEmpty {
      messages.append(
        "rooms of \(rooms.module) use each other in a cycle: \(cyclic.joined(separator: ", ")). "
          + "Decide which of them is below the others.")
    }
    return messages.map { Violation(path: Self.table, line: 1, message: $0) }
  }

  /// The rooms on cycles, and those between cycles.
  ///
  /// Rooms that use no remaining room, or that no remaining room uses, are removed repeatedly.
  private var roomsOnCycles: [String] {
    var left = rooms.uses
    while true {
      let used = left.values.reduce(into: Set<String>()) { $0.formUnion($1) }
      let ends = left.filter { room, uses in
        uses.isDisjoint(with: left.keys) || !used.contains(room)
      }
      if ends.isEmpty { return left.keys.sorted() }
      for room in ends.keys { left[room] = nil }
    }
  }

  // MARK: - The uses

  private func uses(among sources: [Source]) -> [Violation] {
    var types: [String: Set<String>] = [:]
    var members: [String: Set<String>] = [:]
    var owners: [String: Set<String>] = [:]
    for source in sources {
      for name in source.declared.types { types[name, default: []].insert(source.room) }
      for name in source.declared.extensionMembers.subtracting(rooms.foreignNames) {
        members[name, default: []].insert(source.room)
      }
      for name in source.declared.all { owners[name, default: []].insert(source.room) }
    }
    return sources.flatMap { source -> [Violation] in
      let allowed = (rooms.uses[source.room] ?? []).union([source.room])
      let tokens = source.file.tokens
      return tokens.indices.compactMap { index in
        let name = tokens[index].text
        let isForbidden = owners[name]?.isDisjoint(with: allowed) == true
        guard isForbidden, !source.declared.all.contains(name) else { return nil }
        let found: Set<String>? =
          if let rooms = types[name], isTypeName(at: index, in: tokens) {
            rooms
          } else if let rooms = members[name], isMemberUse(at: index, in: tokens) { rooms } else { nil }
        guard let room = found?.sorted().first else { return nil }
        return Violation(
          path: source.file.path, line: tokens[index].line,
          message: "\(source.room) must not use \(name) of \(room). Move it to a room below both, or let the "
            + "caller pass it in; if the arrow is right, add it to Rooms.swift.")
      }
    }
  }

  /// Whether a name stands alone or after the module's name, and not after another type as in `Wire.Message`.
  private func isTypeName(at index: Int, in tokens: [Token]) -> Bool {
    guard index > 0, tokens[index - 1].text == "." else { return true }
    return index > 1 && tokens[index - 2].text == rooms.module
  }

  /// Whether a name follows a dot, or is called on the implicit `self`.
  private func isMemberUse(at index: Int, in tokens: [Token]) -> Bool {
    if index > 0, tokens[index - 1].text == "." { return true }
    return index + 1 < tokens.count && tokens[index + 1].text == "(" && tokens[index + 1].isGlued
  }
}
