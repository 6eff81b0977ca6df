import Testing

@testable import Skein

@Suite("Search terms and queries")
struct SearchTextTests {
  @Test("Words are indexed unchanged; in scripts without spaces, each character and each pair is indexed")
  func indexed() {
    #expect(SearchText.indexed("See you at 8") == "See you at 8 ")
    #expect(SearchText.indexed("吃火锅") == "吃 吃火 火 火锅 锅 ")
    #expect(SearchText.indexed("go 吃 now") == "go  吃  now ")
    #expect(SearchText.indexed("") == "")
  }

  @Test(
    "A query needs all its words, takes the last one as a prefix, and splits scripts without spaces into pairs"
  )
  func expression() {
    #expect(SearchText.expression("see you") == #""see" AND "you" *"#)
    #expect(SearchText.expression("see you ") == #""see" AND "you""#)
    #expect(SearchText.expression("锅") == #""锅""#)
    #expect(SearchText.expression("火锅店") == #""火锅" AND "锅店""#)
    #expect(SearchText.expression("की काम") == "\"की\" AND \"काम\" *")
    #expect(SearchText.expression("hot火锅") == #""hot" AND "火锅""#)
  }

  @Test(
    "Typed text is never read as an operator, and a text without words finds nothing",
    arguments: [
      ("", nil), ("  ", nil), ("\"", nil), ("*", nil), ("(:-)", nil), ("👍", nil), ("\u{0}", nil),
      ("a OR b", #""a" AND "OR" AND "b" *"#), ("NOT x", #""NOT" AND "x" *"#),
      ("text:x", #""text" AND "x" *"#), ("a\"b", #""a" AND "b" *"#),
      ("near(a, 2)", #""near" AND "a" AND "2""#),
    ] as [(String, String?)])
  func hostile(query: String, expected: String?) {
    #expect(SearchText.expression(query) == expected)
  }

  @Test("A text that has the pairs of a query only in separate places does not match the query")
  func matches() {
    #expect(SearchText.matches("今晚去火锅店", "火锅店"))
    #expect(!SearchText.matches("火锅和锅店", "火锅店"))
    #expect(SearchText.matches("anything", "words"))
  }

  @Test("The ids in the index rise with the time of the messages, and differ for messages of the same moment")
  func numbers() {
    let (early, late) = (Timestamp(milliseconds: 1), Timestamp(milliseconds: 2))
    let row = LocalMessageID(rawValue: 5)
    #expect(SearchID(at: early, for: row) < SearchID(at: late))
    #expect(SearchID(at: early, for: row) > SearchID(at: early))
    #expect(SearchID(at: early, for: row) != SearchID(at: early, for: LocalMessageID(rawValue: 6)))
    #expect(SearchID(at: Timestamp(milliseconds: .max), for: row).rawValue > 0)
    #expect(SearchID(at: Timestamp(milliseconds: .min), for: row).rawValue == 5)
  }
}
