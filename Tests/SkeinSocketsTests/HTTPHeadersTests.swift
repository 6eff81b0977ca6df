import Testing

@testable import SkeinSockets

@Suite("Header fields")
struct HTTPHeadersTests {
  @Test("Names are case-insensitive")
  func names() {
    var headers: HTTPHeaders = ["Content-Type": "a", "X": "1"]
    #expect(headers["content-TYPE"] == "a")
    headers.append("b", for: "CONTENT-type")
    #expect(headers["Content-Type"] == "a")
    headers["content-type"] = "c"
    #expect(headers.fields.map(\.value) == ["1", "c"])
    headers["x"] = nil
    #expect(headers.fields.count == 1)
  }

  @Test(
    "A control character other than a tab makes a field invalid, as does an empty name or a space in a name",
    arguments: ["a\r", "a\n", "a\u{0}", "a\u{7f}"])
  func validity(value: String) {
    #expect(!(["X": value] as HTTPHeaders).areValid)
    #expect(!([(value, "x")] as HTTPHeaders).areValid)
    #expect((["X-Name": "火 \t!"] as HTTPHeaders).areValid)
    #expect(!(["": "x"] as HTTPHeaders).areValid)
    #expect(!(["a b": "x"] as HTTPHeaders).areValid)
  }
}
