import Testing

@Suite("The folders of a module, its rooms, use each other without cycles")
struct RoomRuleTests {
  private let rooms = Rooms(
    module: "Shop", uses: ["Shelf": [], "Till": ["Shelf"], "Shop": ["Shelf", "Till"]], foreignNames: ["size"])

  /// The rule's messages for one file in each room. `texts` are the contents of the files, with their rooms.
  private func messages(_ texts: KeyValuePairs<String, String>) -> [String] {
    let files = ["Shelf", "Till", "Shop"].map { room in
      let text = texts.filter { $0.key == room }.map(\.value).joined(separator: "\n")
      return SourceFile(
        path: room == "Shop" ? "Sources/Shop/A.swift" : "Sources/Shop/\(room)/A.swift", text: text)
    }
    return RoomRule(rooms: rooms).violations(in: files).map(\.description)
  }

  @Test("The rooms of each module keep to their table", arguments: Rooms.all.map(\.module))
  func repository(_ module: String) async throws {
    let rooms = try #require(Rooms.all.first { $0.module == module })
    report(
      try await RulesThread.run { RoomRule(rooms: rooms).violations(in: try Repository.shared.get().files) })
  }

  @Test(
    "The use of a type from a room that the table does not allow is reported with file and line",
    arguments: ["struct", "final class", "enum", "actor", "protocol", "typealias"])
  func refusesType(_ keyword: String) {
    let found = messages(["Shelf": "\nlet a: Order?", "Till": "public \(keyword) Order {}"])
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("Sources/Shop/Shelf/A.swift:2: Shelf must not use Order of Till.") == true)
  }

  @Test(
    "A use of another room's type is found in every spelling",
    arguments: [
      "func a() -> [Order] {}", "extension Order {}", "let a = Order(1)", "let a = Order.empty",
      "let a: Shop.Order",
      "let a = \"\\(Order())\"",
    ])
  func findsTypes(_ text: String) {
    #expect(messages(["Shelf": text, "Till": "struct Order {}"]).count == 1)
  }

  @Test("A room may use itself and the rooms of its row")
  func allows() {
    #expect(
      messages(["Shelf": "struct Box { let next: [Box] }", "Till": "let a: Box", "Shop": "let a: Box"])
        .isEmpty)
  }

  @Test(
    "Comments, strings and other types with the same name pass",
    arguments: [
      "// Order", "let a = \"Order\"", "let a: Wire.Order", "struct Order {}",
      "enum A { struct Order {}; let b: Order }",
    ])
  func ignoresLookalikes(_ text: String) {
    #expect(messages(["Shelf": text, "Till": "struct Order {}"]).isEmpty)
  }

  @Test(
    "The use of a member that only a room outside the table's row adds to a type is reported",
    arguments: ["box.price", "let a = box.add(1)", "func a() { add(1) }", "let a: Box.Label"])
  func refusesMember(_ text: String) {
    let till = "extension Box {\n  var price: Int { 1 }\n  static func add(_ a: Int) {}\n  struct Label {}\n}"
    let found = messages(["Shelf": text, "Till": till])
    #expect(found.count == 1)
    #expect(found.first?.contains("Shelf must not use") == true)
  }

  @Test("A member that the file itself or another module also declares passes, and so does a private member")
  func allowsSharedMembers() {
    let till =
      "extension Box {\n  var price: Int { 1 }\n  var size: Int { 1 }\n  private var tax: Int { 1 }\n}"
    #expect(messages(["Shelf": "let a = box.price\nvar price = 1", "Till": till]).isEmpty)
    #expect(messages(["Shelf": "let a = box.size + box.tax", "Till": till]).isEmpty)
  }

  @Test("Private types do not affect other files")
  func ignoresPrivateTypes() {
    #expect(messages(["Shelf": "let a: Order", "Till": "private struct Order {}"]).isEmpty)
  }

  @Test("A folder without a row and a row without a folder are refused")
  func refusesWrongTable() {
    let file = SourceFile(path: "Sources/Shop/Attic/A.swift", text: "")
    let found = RoomRule(rooms: rooms).violations(in: [file]).map(\.message)
    #expect(found.contains { $0.hasPrefix("Attic has no row") })
    #expect(found.contains("Shop has no room Till: remove its row."))
  }

  @Test("A table with a cycle is refused, and the cycle is named")
  func refusesCycle() {
    let uses: [String: Set<String>] = ["A": [], "B": ["A", "C"], "C": ["D"], "D": ["B"], "Shop": ["B"]]
    let files = uses.keys.map { SourceFile(path: "Sources/Shop/\($0)/A.swift", text: "") }
    let found = RoomRule(rooms: Rooms(module: "Shop", uses: uses)).violations(in: files).map(\.message)
    #expect(
      found == ["rooms of Shop use each other in a cycle: B, C, D. Decide which of them is below the others."]
    )
  }

  @Test("Each module's table has no cycle", arguments: Rooms.all.map(\.module))
  func tablesHaveNoCycle(_ module: String) throws {
    let rooms = try #require(Rooms.all.first { $0.module == module })
    let found = RoomRule(rooms: rooms).violations(in: []).map(\.message)
    #expect(!found.contains { $0.contains("cycle") })
  }
}
