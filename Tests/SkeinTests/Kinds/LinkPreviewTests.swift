import Foundation
import Skein
import Testing

@Suite("Links and the contents of their previews")
struct LinkPreviewTests {
  private static let address = "https://example.com/story"
  private static let text = "read \(address), it is short"

  @Test(
    "The link of a text is its first web address, without surrounding punctuation",
    arguments: [
      ("https://a.example", "https://a.example"),
      ("Read HTTPS://A.example/B.", "HTTPS://A.example/B"),
      ("http://a.example:8080/?x=1&y=2#z!", "http://a.example:8080/?x=1&y=2#z"),
      ("a.example, ftp://b.example\nor https://c.example", "https://c.example"),
      ("https://a.example https://b.example", "https://a.example"),
      ("(see https://a.example/b)", "https://a.example/b"),
      ("it's '(https://a.example/b)'...", "https://a.example/b"),
      ("(https://a.example/Swift_(bird)).", "https://a.example/Swift_(bird)"),
      ("[a story](https://a.example/b)", "https://a.example/b"),
      ("<https://a.example/b>", "https://a.example/b"),
      ("\"https://a.example/b\"?", "https://a.example/b"),
      ("“https://a.example/b”", "https://a.example/b"),
      ("«https://a.example/b»", "https://a.example/b"),
      ("看看https://a.example/b，很好", "https://a.example/b"),
      ("很好（https://a.example/b）。", "https://a.example/b"),
      ("【https://a.example/b】！", "https://a.example/b"),
      ("https://a.example/雨燕、很好", "https://a.example/%E9%9B%A8%E7%87%95"),
    ])
  func found(_ text: String, _ link: String) {
    #expect(LinkPreview.firstLink(in: text)?.absoluteString == link)
  }

  @Test(
    "A text has no link if it is too long, or if its first web address is missing, invalid or has a user name",
    arguments: [
      "", "a.example", "www.a.example", "https", "https:", "https://", "https:///b", "https://.",
      "http://:80/", "https//a.example", "ftp://a.example/b", "file:///etc/passwd", "mailto:bob@a.example",
      "javascript:alert(1)", "javascript://https://a.example", "https://bob@a.example",
      "https://bob:secret@a.example/", "https://@a.example/", "https://a.example\\@b.example/",
      "https://bob@a.example https://b.example", "https://a.example/\u{0}", "https://a.example/\u{7F}b",
      "https://a.example/" + String(repeating: "b", count: 3000),
      "https://a.example " + String(repeating: "b", count: 40_000),
    ])
  func notFound(_ text: String) {
    #expect(LinkPreview.firstLink(in: text) == nil)
  }

  @Test("The texts of a preview are trimmed, and are cut at a limit but never inside a character")
  func limits() throws {
    let url = try #require(URL(string: Self.address))
    func letters(_ count: Int) -> String { String(repeating: "a", count: count) }
    let long = LinkPreview(url: url, title: " \n\(letters(300))", summary: letters(600), site: letters(101))
    #expect(long == LinkPreview(url: url, title: letters(200), summary: letters(500), site: letters(100)))
    #expect(long.title.count == 200 && long.summary?.count == 500 && long.site?.count == 100)
    let short = LinkPreview(url: url, title: "\t A  story\n", summary: " \r\n", site: "")
    #expect(short.title == "A  story" && short.summary == nil && short.site == nil)
    #expect(LinkPreview(url: url, title: letters(199) + "🇨🇳").title == letters(199))
    // One character with a hundred thousand accents.
    let heavy = "a" + String(repeating: "\u{301}", count: 100_000)
    #expect(LinkPreview(url: url, title: "Hi \(heavy)").title == "Hi")
    let json = #"{"url":"\#(Self.address)","title":"\#(letters(300))","summary":" "}"#
    let decoded = try JSONDecoder().decode(LinkPreview.self, from: Data(json.utf8))
    #expect(decoded == LinkPreview(url: url, title: letters(200)))
  }

  @Test("The JSON of a text contains the text's preview, and both decode unchanged")
  func bytes() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let url = try #require(URL(string: Self.address))
    let content = TextContent(Self.text, preview: LinkPreview(url: url, title: "A story"))
    let payload = try encoder.encode(content)
    let json = #"{"preview":{"title":"A story","url":"\#(Self.address)"},"text":"\#(Self.text)"}"#
    #expect(String(decoding: payload, as: UTF8.self) == json)
    #expect(try JSONDecoder().decode(TextContent.self, from: payload) == content)
  }

  @Test(
    "A received preview that is invalid or has another address than the text's link is dropped",
    arguments: [
      "7", "[]", "{}", "null", #"{"url":"https://example.com/story"}"#,
      #"{"title":" ","url":"https://example.com/story"}"#, #"{"title":"A story","url":""}"#,
      #"{"title":"A story","url":"javascript:alert(1)"}"#,
      #"{"title":"A story","url":"file:///etc/passwd"}"#,
      #"{"title":"A story","url":"https://bob@example.com/story"}"#,
      #"{"title":"A story","url":"https://elsewhere.example/story"}"#,
    ])
  func stranger(_ preview: String) throws {
    let json = #"{"preview":\#(preview),"text":"\#(Self.text)"}"#
    let content = try JSONDecoder().decode(TextContent.self, from: Data(json.utf8))
    #expect(content == TextContent(Self.text))
  }
}
