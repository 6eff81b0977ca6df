/// Imports, manifest and ``House`` agree: every import is declared in the manifest or is an allowed module of
/// the system, and every declared dependency is allowed and used.
struct ImportRule {
  let manifest: Manifest
  let house: House

  func violations(in files: [SourceFile]) -> [Violation] {
    let byTarget = Dictionary(grouping: files, by: \.target)
    return manifest.targets.flatMap { target -> [Violation] in
      arrows(of: target)
        + undeclared(target, byTarget[target.name] ?? []) + unused(target, byTarget[target.name] ?? [])
    } + files.flatMap(insides)
  }

  private var targets: Set<String> { Set(manifest.targets.map(\.name)) }

  /// Checks the manifest against the house.
  private func arrows(of target: Manifest.Target) -> [Violation] {
    guard target.type != .test, target.type != .system else { return [] }
    guard let row = house.rows[target.name] else {
      return [
        manifestViolation("\(target.name) has no row in House.swift: add one that says what it may know.")
      ]
    }
    return target.dependencies.filter { !row.knows.contains($0.name) }.map {
      manifestViolation(
        "\(target.name) must not know \($0.name). Move what it needs to a module below both, "
          + "or let the caller pass it in; if the arrow is right, add it to House.swift.")
    }
  }

  /// Checks the imports against the manifest and the house.
  private func undeclared(_ target: Manifest.Target, _ files: [SourceFile]) -> [Violation] {
    let declared = Set(target.dependencies.map(\.name))
    let system = target.type == .test ? House.systemOfTests : house.rows[target.name]?.system ?? []
    return files.flatMap { file -> [Violation] in
      let imports = ImportRule.imports(in: file)
      var violations = imports.filter { !declared.contains($0.module) && !system.contains($0.module) }.map {
        Violation(path: file.path, line: $0.line, message: refusal(of: $0.module, in: target.name))
      }
      // On Linux the engine links FoundationEssentials, which is much smaller than Foundation.
      if target.name == "Skein", let whole = imports.first(where: { $0.module == "Foundation" }),
        !imports.contains(where: { $0.module == "FoundationEssentials" })
      {
        violations.append(
          Violation(
            path: file.path, line: whole.line,
            message: "the engine imports FoundationEssentials where it can: write "
              + "#if canImport(FoundationEssentials), import FoundationEssentials, #else, import Foundation, #endif."
          ))
      }
      return violations
    }
  }

  private func refusal(of module: String, in target: String) -> String {
    targets.contains(module)
      ? "\(target) imports \(module) but does not declare it. Declare it in Package.swift, if House.swift allows it."
      : "\(target) imports \(module), which House.swift does not list for it. "
        + "Do without it, or add it to the target's row if it is really needed."
  }

  /// Checks the manifest against the imports; a target without code is skipped.
  private func unused(_ target: Manifest.Target, _ files: [SourceFile]) -> [Violation] {
    guard files.contains(where: { !$0.tokens.isEmpty }) else { return [] }
    let imported = Set(files.flatMap(ImportRule.imports).map(\.module))
    return target.dependencies.filter { !imported.contains($0.name) }.map {
      manifestViolation(
        "\(target.name) declares \($0.name) and never imports it: take it out of Package.swift.")
    }
  }

  private func manifestViolation(_ message: String) -> Violation {
    Violation(path: "Package.swift", line: 1, message: message)
  }

  /// No module of `Sources` uses another's internals.
  private func insides(_ file: SourceFile) -> [Violation] {
    guard file.isInSources else { return [] }
    let allowed: Set<String> = House.exports.contains(file.path) ? ["@_exported"] : []
    return House.doorsToInsides.filter { !allowed.contains($0) }.flatMap { door in
      Pattern(door).lines(in: file.tokens).map {
        Violation(
          path: file.path, line: $0,
          message: "\(door) reaches into another module: make what is needed public or package there.")
      }
    }
  }

  /// The imports of a file, with any attributes, access level and scope (`import struct Foundation.Data`).
  static func imports(in file: SourceFile) -> [(module: String, line: Int)] {
    let scopes: Set<String> = [
      "struct", "class", "enum", "protocol", "typealias", "func", "var", "let", "actor",
    ]
    let tokens = file.tokens
    return tokens.indices.compactMap { index in
      guard tokens[index].text == "import", index == 0 || ![".", "`"].contains(tokens[index - 1].text),
        let module = tokens[(index + 1)...].first(where: { !scopes.contains($0.text) }), module.isWord
      else { return nil }
      return (module.text, tokens[index].line)
    }
  }
}
