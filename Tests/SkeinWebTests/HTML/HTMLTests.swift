import Foundation
import SkeinWeb
import Testing

@Suite("HTML escapes texts")
struct HTMLTests {
  @Test(
    "A text never becomes markup, neither in an element nor in an attribute",
    arguments: [
      "<script>alert(1)</script>", "\" onmouseover=\"alert(1)", "' autofocus onfocus='alert(1)",
      "</p><img src=x onerror=alert(1)>",
      "&lt;script&gt;", "<!--", "]]>", "\u{0}<b>", "`${alert(1)}`",
    ])
  func texts(hostile: String) {
    let html = HTML(.p, [.class(hostile), .data("id", hostile), .title(hostile), .aria("label", hostile)]) {
      HTML(hostile)
    }
    let inside = html.markup.dropFirst("<p class=\"".count).dropLast("</p>".count)
    #expect(inside.count { $0 == "<" } == 0)
    // Four attributes have eight quotes, of which `inside` lacks the first. The only `>` ends the tag.
    #expect(inside.count { $0 == "\"" } == 7)
    #expect(inside.count { $0 == ">" } == 1 && !inside.contains("'"))
  }

  @Test("Only http and https addresses are kept in a link")
  func links() throws {
    func link(_ text: String) throws -> String {
      HTML(.a, [.link(try #require(URL(string: text)))]) { HTML("x") }.markup
    }
    #expect(try link("https://example.com/a?b=1&c=2").contains("href=\"https://example.com/a?b=1&amp;c=2\""))
    #expect(try link("HTTP://example.com").contains("rel=\"noopener noreferrer nofollow\""))
    for text in [
      "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "//example.com", "https:", "page",
    ] {
      #expect(try link(text) == "<a>x</a>")
    }
  }

  @Test("Elements are nested as written")
  func elements() {
    let html = HTML(.ul) {
      for name in ["a", "b"] { HTML(.li) { HTML(name) } }
      if false { HTML("never") }
      HTML(.br)
    }
    #expect(html.markup == "<ul><li>a</li><li>b</li><br></ul>")
  }
}
