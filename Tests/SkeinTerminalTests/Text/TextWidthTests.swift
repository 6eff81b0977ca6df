import Testing

@testable import SkeinTerminal

@Suite("Text width in terminal columns")
struct TextWidthTests {
  @Test(
    "Chinese characters, Korean characters and emoji take two columns, and combining marks take none",
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

  @Test("The end of a text has at most the given columns")
  func ending() {
    #expect("abcdef".ending(in: 3) == "def")
    #expect("你好吗".ending(in: 5) == "好吗")
    #expect("ab".ending(in: 2) == "ab")
    #expect("e\u{301}".ending(in: 0) == "")
    #expect("".ending(in: 3) == "")
  }

  @Test("The end of a text of 100,000 characters is found again after each key", .timeLimit(.minutes(1)))
  func endingOfLongText() {
    var text = String(repeating: "long text ", count: 10_000)
    for _ in 0..<1000 {
      text += "你"
      let end = text.ending(in: 76)
      #expect(end.columns >= 75 && end.columns <= 76 && text.hasSuffix(end))
    }
  }

  @Test("Lines are wrapped between words, and inside a word only if the word is longer than a line")
  func wrapping() {
    #expect("one two three".wrapped(to: 8) == ["one two", "three"])
    #expect("abcdefgh".wrapped(to: 3) == ["abc", "def", "gh"])
    #expect("你好你好".wrapped(to: 5) == ["你好", "你好"])
    #expect("".wrapped(to: 5) == [""])
    #expect("fits".wrapped(to: 4) == ["fits"])
  }

  @Test(
    "Wrapping keeps all characters except spaces, and no line is wider than the limit",
    arguments: [2, 3, 7, 20])
  func invariant(width: Int) {
    let text = "A sentence of 你好世界 and averyveryverylongword 🙂🙂🙂 to its end"
    let lines = text.wrapped(to: width)
    #expect(lines.allSatisfy { $0.columns <= width })
    #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " })
  }
}
