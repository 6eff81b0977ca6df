import Testing

@testable import SkeinServer

struct JSONTextTests {
  @Test(
    "Every JSON value is accepted",
    arguments: [
      "{}", "[]", "null", "true", "false", "0", "-0", "12", "-1.5e+10", "1E5", "0.0", "\"\"", " \t\r\n1 ",
      "{\"a\":1,\"b\":[1,2,{\"c\":null}]}", "[[],{},[{}]]", "{ \"a\" : [ 1 , 2 ] }", "\"\\u00e9\\n\\\"\\/\"",
      "\"火锅 🔥\"", "123456789012345678901234567890", "[1,[2,[3]],4]",
    ])
  func accepted(_ text: String) { #expect(JSONText.accepts(Array(text.utf8))) }

  @Test(
    "Text that is not JSON is refused",
    arguments: [
      "", " ", "{", "}", "[", "]", "[1,]", "[,1]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{1:2}",
      "'a'",
      "tru", "truee", "nul", "01", "1.", ".5", "-", "+1", "1e", "1e+", "0x10", "NaN", "Infinity", "\"",
      "\"\\\"",
      "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\n\"", "\"\0\"", "1 2", "{} {}", "[}", "{]", "[1 2]",
      "{\"a\" 1}",
      "[1}", "{\"a\":1]", "//", "\u{FEFF}{}", "{,}", "{\"a\":1,,}",
    ])
  func refused(_ text: String) { #expect(!JSONText.accepts(Array(text.utf8))) }

  @Test("JSON that is nested 100 levels deep is accepted, and with 101 or a million levels it is refused")
  func depth() {
    func nested(_ levels: Int) -> [UInt8] {
      Array((String(repeating: "[", count: levels) + String(repeating: "]", count: levels)).utf8)
    }
    #expect(JSONText.accepts(nested(100)))
    #expect(!JSONText.accepts(nested(101)))
    #expect(!JSONText.accepts(nested(1_000_000)))
    #expect(
      JSONText.accepts(
        Array((String(repeating: "{\"a\":", count: 100) + "1" + String(repeating: "}", count: 100)).utf8)))
  }
}
