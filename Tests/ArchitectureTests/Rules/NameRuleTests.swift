import Testing

@Suite("A function's name has one meaning")
struct NameRuleTests {
  private func messages(_ texts: String..., folder: String = "Sources/Skein", limit: Int = 1) -> [String] {
    let files = texts.enumerated().map { SourceFile(path: "\(folder)/\($0).swift", text: $1) }
    return NameRule.violations(in: files, limit: limit).map(\.message)
  }

  @Test("Too many functions of one name in one module are reported once")
  func reports() {
    let found = messages("func take() {}\nfunc give() {}", "struct A { func take(_ a: Int) {} }")
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("take is declared 2 times in Skein") == true)
  }

  @Test("The functions of each module are counted separately, and tests are not counted")
  func separatesModules() {
    let files = ["Sources/A/A.swift", "Sources/B/B.swift", "Tests/A/A.swift", "Tests/A/B.swift"].map {
      SourceFile(path: $0, text: "func take() {}")
    }
    #expect(NameRule.violations(in: files, limit: 1).isEmpty)
  }

  @Test("Requirements of protocols and their implementations are not counted")
  func passesRequirements() {
    let declaration = "protocol A { func take(a: [Int: Int], _ b: (Int, Int)) -> Int }"
    let implementation = "struct B: A { func take(a: [Int: Int], _ c: (Int, Int)) -> Int { 1 } }"
    #expect(messages(declaration, implementation, implementation).isEmpty)
    #expect(messages(declaration, "func take(a: Int) {}", "func take() {}").count == 1)
  }

  @Test("Function names that other libraries prescribe are not counted")
  func passesAllowed() {
    #expect(messages("func encode(to a: Int) {}", "func encode(_ b: Int) {}").isEmpty)
  }

  @Test(
    "Full names have the labels of all parameters",
    arguments: [
      ("func a() {}", "a()"), ("func a(b c: Int, _ d: Int) {}", "a(b:_:)"), ("func `a`(b: Int) {}", "a(b:)"),
      ("func a<B: C<D>>(b: E<F, G>, c: @escaping (H, I) -> J = { k($0, $1) }, d: (L, M)) {}", "a(b:c:d:)"),
      ("func a(_ b: (C) -> D, e: Int...) -> (F, G) {}", "a(_:e:)"),
    ])
  func fullNames(_ text: String, _ name: String) {
    #expect(FunctionName.declared(in: SourceFile(path: "a", text: text).tokens).map(\.fullName) == [name])
  }

  @Test("Operators are not found, and a function after a protocol is not a requirement")
  func edges() {
    let text = "func == (a: A, b: A) -> Bool { true }\nprotocol A { var a: Int { get } }\nfunc b() {}\nfunc"
    let found = FunctionName.declared(in: SourceFile(path: "a", text: text).tokens)
    #expect(found.map(\.fullName) == ["b()"])
    #expect(found.allSatisfy { !$0.isRequirement })
  }
}
