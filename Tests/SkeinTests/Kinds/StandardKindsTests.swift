import Foundation
import Testing

@testable import Skein

@Suite("Standard kinds")
struct StandardKindsTests {
  private static let media = MessageAttachment.remote(RemoteMedia(id: "a", size: 7, type: "image/png"))
  private static let other = MessageAttachment.file(URL(filePath: "/tmp/b"), type: "video/mp4")

  static let contents: [(content: any MessageContent, json: String, text: String, attachments: Int)] = [
    (TextContent("up?"), #"{"text":"up?"}"#, "up?", 0),
    (ImageContent(media, width: 3, height: 2), #"{"height":2,"image":MEDIA,"width":3}"#, "[image]", 1),
    (
      VideoContent(media, poster: media, duration: 1.5, width: 3, height: 2),
      #"{"duration":1.5,"height":2,"poster":MEDIA,"video":MEDIA,"width":3}"#, "[video]", 2
    ),
    (VideoContent(media), #"{"video":MEDIA}"#, "[video]", 1),
    (AudioContent(media, duration: 2.5), #"{"audio":MEDIA,"duration":2.5}"#, "[audio]", 1),
    (FileContent(media, name: "a.pdf"), #"{"file":MEDIA,"name":"a.pdf","size":7}"#, "a.pdf", 1),
    (
      StickerContent(media, set: "cats", meaning: "🐱"), #"{"image":MEDIA,"meaning":"🐱","set":"cats"}"#, "🐱", 1
    ),
    (StickerContent(media), #"{"image":MEDIA}"#, "[sticker]", 1),
    (
      MergedForwardContent(
        title: "Trip",
        messages: [
          .init(sender: "bob", time: Timestamp(milliseconds: 5), kind: "text", payload: Data("{}".utf8)),
          .init(sender: "bob", time: Timestamp(milliseconds: 6), kind: "raw", payload: Data([0xff, 0x00])),
        ]),
      #"{"messages":[{"content":"{}","kind":"text","sender":"bob","time":5},"#
        + #"{"kind":"raw","payload":"/wA=","sender":"bob","time":6}],"title":"Trip"}"#,
      "[chat history] Trip", 0
    ),
    (LocationContent(latitude: 1.5, longitude: -2.5), #"{"latitude":1.5,"longitude":-2.5}"#, "[location]", 0),
  ]

  @Test(
    "Each kind is encoded as documented, decodes again, and has a displayed text", arguments: contents.indices
  )
  func roundTrip(_ index: Int) throws {
    let (content, json, text, attachments) = Self.contents[index]
    let payload = try KindRegistry.encode(content)
    let media = #"{"remote":{"_0":{"id":"a","size":7,"type":"image/png"}}}"#
    #expect(String(decoding: payload, as: UTF8.self) == json.replacing("MEDIA", with: media))
    #expect(KindRegistry.standard.decode(type(of: content).kind, payload) == .known(content))
    #expect(content.displayedText == text)
    #expect(content.allAttachments.count == attachments)
  }

  @Test("A merged forward of an earlier version, with text in base64, is decoded")
  func earlierMergedForward() throws {
    let json = #"{"messages":[{"kind":"text","payload":"e30=","sender":"bob","time":5}],"title":"Trip"}"#
    let content = KindRegistry.standard.decode(MergedForwardContent.kind, Data(json.utf8))
    #expect(content.as(MergedForwardContent.self)?.messages.map(\.payload) == [Data("{}".utf8)])
  }

  @Test(
    "The payload of a forwarded message keeps its bytes",
    arguments: [
      "", "\u{FEFF}{}", #"{"text":"\"\\\u00e9\/\n"}"#, "{\"a\":\"\u{0}\u{2028}🧑‍🚀e\u{301}\"}\n",
    ])
  func forwardedBytes(payload: String) throws {
    let message = MergedForwardContent.Message(
      sender: "bob", time: Timestamp(milliseconds: 5), kind: "text", payload: Data(payload.utf8))
    let bytes = try KindRegistry.encode(MergedForwardContent(title: "", messages: [message]))
    let content = KindRegistry.standard.decode(MergedForwardContent.kind, bytes)
    #expect(content.as(MergedForwardContent.self)?.messages == [message])
  }

  @Test("The attachments of each kind can be replaced by local files", arguments: contents.indices)
  func replacing(_ index: Int) throws {
    var content = Self.contents[index].content
    content.replaceAttachments(content.allAttachments.map { _ in Self.other })
    #expect(content.allAttachments.allSatisfy { $0 == Self.other })
    let payload = try KindRegistry.encode(content)
    #expect(KindRegistry.standard.decode(type(of: content).kind, payload) == .known(content))
  }

  @Test("A file keeps its local name")
  func fileName() {
    #expect(FileContent(file: URL(filePath: "/tmp/Übersicht 2.pdf")).name == "Übersicht 2.pdf")
  }
}
