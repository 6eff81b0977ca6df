import Testing

@testable import SkeinWeb

@Suite("The circle of a name")
struct AvatarTests {
  @Test(
    "The circle has the first letter or digit of the name",
    arguments: [("alice", "A"), ("@bob:example.org", "B"), ("#7", "7"), ("…", "…"), ("", "?"), ("王", "王")])
  func initial(_ name: String, _ initial: String) {
    #expect(Avatar.html(of: name).markup.hasSuffix(">\(initial)</span>"))
  }
}
