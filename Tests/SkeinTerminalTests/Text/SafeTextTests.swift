import Testing

@testable import SkeinTerminal

@Suite("Untrusted text is written without control characters")
struct SafeTextTests {
  @Test("Escape sequences become visible and have no effect")
  func escapes() {
    #expect(SafeText.line("\u{1B}[31mred\u{7}") == "␛[31mred␇")
    #expect(SafeText.line("\u{9B}2J\u{7F}\u{0}") == "\u{FFFD}2J␡␀")
  }

  @Test("No Unicode scalar below U+00A0 is written as a control character")
  func everyControl() {
    let all = String(String.UnicodeScalarView((0..<0xA0).compactMap { Unicode.Scalar($0 as UInt32) }))
    for line in SafeText.lines(all) {
      #expect(line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    }
  }

  @Test("Every kind of line break splits a text into lines; in a text written as one line it becomes a space")
  func breaks() {
    #expect(SafeText.lines("a\r\nb\nc\rd\u{2028}e") == ["a", "b", "c", "d", "e"])
    #expect(SafeText.line("a\nb") == "a b")
    #expect(SafeText.lines("") == [""])
  }

  @Test("Bidirectional controls are replaced")
  func directions() {
    #expect(SafeText.line("a\u{202E}b\u{2066}c") == "a\u{FFFD}b\u{FFFD}c")
  }

  @Test(
    "Words in different scripts, and emoji, are unchanged",
    arguments: ["Grüße", "你好", "שלום", "👩‍👩‍👧 🏳️‍🌈", "e\u{301}"])
  func words(text: String) {
    #expect(SafeText.line(text) == text)
  }
}
