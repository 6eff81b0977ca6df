import Testing

@Suite("Imports agree with the manifest and with the allowed modules in House.swift")
struct ImportRuleTests {
  private let house = House(rows: [
    "Engine": .init(knows: ["Store"], system: ["Synchronization"]),
    "Store": .init(knows: [], system: []),
    "Skein": .init(knows: [], system: ["Foundation", "FoundationEssentials"]),
  ])

  private func messages(_ target: Manifest.Target, _ text: String) -> [String] {
    let manifest = Manifest(targets: [target, .init("Store")])
    let folder = target.type == .test ? "Tests" : "Sources"
    let file = SourceFile(path: "\(folder)/\(target.name)/A.swift", text: text)
    return ImportRule(manifest: manifest, house: house).violations(in: [file]).map(\.description)
  }

  @Test("A declared, allowed and used module passes")
  func passes() {
    #expect(
      messages(.init("Engine", dependencies: ["Store"]), "import Store\nimport Synchronization").isEmpty)
  }

  @Test(
    "An import is found in every spelling",
    arguments: [
      "import Store", "public import Store", "@testable import Store",
      "@preconcurrency internal import Store",
      "import struct Store.Row", "import Store.Rows", "#if canImport(Store)\n  import Store\n#endif",
      "let a = 1; import Store", "@testable\nimport Store", "private import func Store.open // for tests",
    ])
  func findsImports(_ text: String) {
    let file = SourceFile(path: "Sources/Engine/A.swift", text: text)
    #expect(ImportRule.imports(in: file).map(\.module) == ["Store"])
  }

  @Test("Text that looks like an import is ignored")
  func ignoresLookalikes() {
    let text = "// import A\nlet b = \"import B\"\nlet c = Mode.import\nfunc `import`() {}"
    #expect(ImportRule.imports(in: SourceFile(path: "Sources/Engine/A.swift", text: text)).isEmpty)
  }

  @Test("An import of a target that is no declared dependency is reported with file and line")
  func refusesUndeclaredTarget() {
    let found = messages(.init("Engine"), "\nimport Store")
    #expect(found.count == 1)
    #expect(
      found.first?.hasPrefix("Sources/Engine/A.swift:2: Engine imports Store but does not declare it.")
        == true)
  }

  @Test("A system module outside the target's row is reported")
  func refusesSystemModule() {
    let found = messages(.init("Engine"), "import FoundationNetworking")
    #expect(found.count == 1)
    #expect(found.first?.contains("FoundationNetworking, which House.swift does not list") == true)
  }

  @Test("An unused dependency is reported, but not in a target without code")
  func refusesUnusedDeclaration() {
    let found = messages(.init("Engine", dependencies: ["Store"]), "let a = 1")
    #expect(
      found == ["Package.swift:1: Engine declares Store and never imports it: take it out of Package.swift."])
    #expect(messages(.init("Engine", dependencies: ["Store"]), "// Nothing yet.").isEmpty)
  }

  @Test("A dependency that House.swift does not allow is reported")
  func refusesArrow() {
    let found = messages(.init("Store", dependencies: ["Engine"]), "import Engine")
    #expect(found.contains { $0.contains("Store must not know Engine.") })
  }

  @Test("A target without a row is reported")
  func refusesUnknownTarget() {
    #expect(messages(.init("Loft"), "").contains { $0.contains("Loft has no row in House.swift") })
  }

  @Test(
    "An import of another module's internals is refused in sources and allowed in tests",
    arguments: House.doorsToInsides)
  func refusesDoors(_ door: String) {
    let text = "\(door) import Store"
    #expect(
      messages(.init("Engine", dependencies: ["Store"]), text).contains { $0.contains("\(door) reaches") })
    #expect(messages(.init("EngineTests", .test, dependencies: ["Store"]), text).isEmpty)
  }

  @Test("The engine imports Foundation only if there is no FoundationEssentials")
  func prefersEssentials() {
    #expect(
      messages(.init("Skein"), "import Foundation").contains {
        $0.contains("FoundationEssentials where it can")
      })
    let guarded = """
      #if canImport(FoundationEssentials)
        import FoundationEssentials
      #else
        import Foundation
      #endif
      """
    #expect(messages(.init("Skein"), guarded).isEmpty)
  }

  @Test("The engine's row has no network, no queues and no C library")
  func engineIsNarrow() throws {
    let engine = try #require(House.skein.rows["Skein"])
    #expect(engine.knows == ["SkeinModel", "SkeinStorage"])
    #expect(engine.system.isDisjoint(with: ["FoundationNetworking", "Dispatch", "Glibc", "Darwin", "Musl"]))
  }

  @Test("Storage and sockets do not depend on the engine", arguments: ["SkeinStorage", "SkeinSockets"])
  func lowestRowsKnowNoChat(_ target: String) throws {
    let row = try #require(House.skein.rows[target])
    #expect(row.knows.allSatisfy { !$0.hasPrefix("Skein") })
  }
}
