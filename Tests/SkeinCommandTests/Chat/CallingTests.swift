import Skein
import Testing

@testable import SkeinCommand

@Suite("Names that are typed in a text")
struct CallingTests {
  @Test("A word @name calls a user and @all everyone; an address calls nobody")
  func words() {
    let text = "@bob, ask carol@example.org or @li-wei. @ @all"
    let content = TextContent(calling: text)
    #expect(content.text == text)
    #expect(content.mentioned == Mentions(["bob", "li-wei"], everyone: true))
    #expect(
      content.mentions.compactMap { $0.part(of: text) }.map { text[$0] } == ["@bob", "@li-wei", "@all"])
  }
}
