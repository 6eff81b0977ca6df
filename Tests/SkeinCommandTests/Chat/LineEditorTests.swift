import Testing

@testable import SkeinCommand

@Suite("Keys are assembled into lines")
struct LineEditorTests {
  @Test("Backspace erases a character, Ctrl-W erases a word, and Return ends the line")
  func typing() {
    var editor = LineEditor()
    #expect(editor.enter(Array("helo".utf8)) == [])
    #expect(editor.enter([0x7F]) == [])
    #expect(editor.enter(Array("lo wrld".utf8)) == [])
    #expect(editor.enter([0x17]) == [])
    #expect(editor.text == "hello ")
    #expect(editor.enter(Array("you\r".utf8)) == [.line("hello you")])
    #expect(editor.text == "")
  }

  @Test("A character that arrives in pieces is erased as one")
  func pieces() {
    var editor = LineEditor()
    for byte in "你👍🏽".utf8 { #expect(editor.enter([byte]) == []) }
    #expect(editor.text == "你👍🏽")
    #expect(editor.enter([0x08]) == [])
    #expect(editor.text == "你")
  }

  @Test("Arrow keys and controls are skipped; invalid bytes are dropped")
  func controls() {
    var editor = LineEditor()
    #expect(editor.enter([0x61, 0x1B, 0x5B, 0x41, 0x1B, 0x4F, 0x50, 0x01, 0x62]) == [])
    #expect(editor.text == "ab")
    #expect(editor.enter([0xFF, 0xFF, 0xFF, 0xFF, 0x63]) == [])
    #expect(editor.text == "abc")
    #expect(editor.enter([0xFF, 0x64, 0x65, 0x66]) == [])
    #expect(editor.text == "abcdef")
    #expect(editor.enter(Array("\u{80}\u{9B}2J\u{9F}\u{A0}".utf8)) == [])
    #expect(editor.text == "abcdef2J\u{A0}")
  }

  @Test("Ctrl-D ends the input only if the line is empty; Ctrl-U erases the line")
  func end() {
    var editor = LineEditor()
    #expect(editor.enter([0x61, 0x04]) == [])
    #expect(editor.enter([0x15, 0x04]) == [.end])
  }

  @Test("Several lines can be pasted at once")
  func paste() {
    var editor = LineEditor()
    #expect(editor.enter(Array("a\nb\nc".utf8)) == [.line("a"), .line("b")])
    #expect(editor.text == "c")
  }
}
