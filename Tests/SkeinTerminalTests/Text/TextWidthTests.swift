import Testing

@testable import SkeinTerminal

@Suite("Text width in terminal columns")
struct TextWidthTests {
  @Test(
    "Chinese and emoji take two columns, marks none",
    arguments: [("abc", 3), ("你好", 4), ("🙂", 2), ("👩‍👩‍👧", 2), ("e\u{301}", 1), ("❤️", 2), ("", 0), ("한글", 4)])
  func columns(text: String, count: Int) {
    #expect(text.columns == count)
  }

  @Test("Text is padded by columns, not by characters")
  func padding() {
    #expect("你".padded(to: 4) == "你  ")
    #expect("你".indented(to: 4) == "  你")
    #expect("long".padded(to: 2) == "long")
  }

  @Test("Lines are wrapped between words, inside a word only if it is too long")
  func wrapping() {
    #expect("one two three".wrapped(to: 8) == ["one two", "three"])
    #expect("abcdefgh".wrapped(to: 3) == ["abc", "def", "gh"])
    #expect("你好你好".wrapped(to: 5) == ["你好", "你好"])
    #expect("".wrapped(to: 5) == [""])
    #expect("fits".wrapped(to: 4) == ["fits"])
  }

  @Test("Wrapping keeps all text and exceeds no width", arguments: [2, 3, 7, 20])
  func invariant(width: Int) {
    let text = "A sentence of 你好世界 and averyveryverylongword 🙂🙂🙂 to its end"
    let lines = text.wrapped(to: width)
    #expect(lines.allSatisfy { $0.columns <= width })
    #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " })
  }
}
