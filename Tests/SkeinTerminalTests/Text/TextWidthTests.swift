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

  @Test(
    "Vowel signs and sound marks with a width of their own are counted; invisible characters are not",
    arguments: [
      ("\u{E19}\u{E49}\u{E33}", 2), ("\u{915}\u{93F}", 2), ("\u{B95}\u{BBE}", 2), ("\u{FF76}\u{FF9E}", 2),
      ("\u{600}a", 1), ("\u{304B}\u{3099}", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("\u{200B}", 0),
      ("a\u{AD}b", 3),
    ])
  func clusters(text: String, count: Int) {
    #expect(text.columns == count)
  }

  @Test("An emoji of several characters takes two columns", arguments: ["☝🏽", "❤️‍🔥", "❤‍🔥", "1️⃣", "🇩🇪", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"])
  func emoji(text: String) {
    #expect(text.columns == 2)
  }

  @Test("Vowel signs after an emoji are counted")
  func vowelSignsAfterEmoji() {
    #expect("🙂\u{93E}\u{93E}".columns == 4)
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

  @Test("A character that is wider than a line is split")
  func wideCharacter() {
    let text = "a " + "\u{915}" + String(repeating: "\u{93E}", count: 20) + " b"
    #expect(text.wrapped(to: 8).map(\.columns) == [1, 8, 8, 7])
    #expect(
      text.wrapped(to: 8).flatMap(\.unicodeScalars).filter { $0 != " " }
        == text.unicodeScalars.filter { $0 != " " })
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
