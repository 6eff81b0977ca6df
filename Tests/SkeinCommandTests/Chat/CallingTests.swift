import Skein
import Testing

@testable import SkeinCommand

@Suite("Mentions are found in typed texts")
struct CallingTests {
  @Test("@name mentions a user and @all everyone; a mail address mentions nobody")
  func words() {
    let text = "@bob, ask carol@example.org or @li-wei. @ @all"
    let content = TextContent(calling: text)
    #expect(content.text == text)
    #expect(content.mentioned == Mentions(["bob", "li-wei"], everyone: true))
    #expect(
      content.mentions.compactMap { $0.part(of: text) }.map { text[$0] } == ["@bob", "@li-wei", "@all"])
  }
}
