import Foundation
import SkeinModel
import Testing

@testable import SkeinMatrix

@Suite("Messages and events")
struct MappingTests {
  private func outgoing(
    _ payload: String, kind: MessageKind = "text", parameters: [String: String] = [:],
    isCountable: Bool = true
  ) -> OutgoingMessage {
    OutgoingMessage(
      id: MessageID(rawValue: "m1"), conversation: ConversationRef(rawValue: "!r:a"), kind: kind,
      payload: Data(payload.utf8), parameters: parameters, mentions: Mentions(["@bob:a"], everyone: true),
      isCountable: isCountable)
  }

  private func event(
    _ content: String, type: String = "m.room.message", unsigned: String = "{}"
  ) throws -> RoomEvent {
    let json = #"""
      {"event_id":"$1","type":"\#(type)","sender":"@alice:a","origin_server_ts":5000,"content":\#(content),
       "unsigned":\#(unsigned)}
      """#
    return try #require(RoomEvent(try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))))
  }

  private func received(_ message: OutgoingMessage) throws -> IncomingMessage {
    let content = try OutgoingContent.content(of: message).encoded()
    return try #require(IncomingMessage(try event(String(decoding: content, as: UTF8.self))))
  }

  @Test(
    "Other clients receive a place as a location, and a place that is not on the globe as a text",
    arguments: [
      (#"{"latitude":-0.5,"longitude":0.00001}"#, "m.location", "geo:-0.500000,0.000010"),
      (#"{"latitude":90,"longitude":-180}"#, "m.location", "geo:90.000000,-180.000000"),
      (#"{"latitude":91,"longitude":0}"#, "m.text", nil),
    ])
  func places(_ payload: String, _ type: String, _ address: String?) throws {
    let message = outgoing(payload, kind: LocationContent.kind)
    let content = try OutgoingContent.content(of: message)
    #expect((content["msgtype"]?.string, content["geo_uri"]?.string) == (type, address))
    #expect(try received(message).payload == message.payload)
  }

  @Test(
    "The text beside a file's name is the caption, in both directions",
    arguments: [
      ("m.image", "holiday", "1.png", "holiday"), ("m.image", "1.png", "1.png", nil),
      ("m.video", "holiday", nil, nil), ("m.file", "the plan", "plan.pdf", "the plan"),
      ("m.audio", "hello", "a.ogg", "hello"),
    ] as [(String, String, String?, String?)])
  func captions(type: String, body: String, name: String?, caption: String?) throws {
    var content: JSONValue = [
      "msgtype": .string(type), "body": .string(body), "url": "mxc://a/1",
      "info": ["size": 5, "mimetype": "x/y"],
    ]
    content["filename"] = name.map { .string($0) }
    let encoded = String(decoding: try content.encoded(), as: UTF8.self)
    let message = try #require(IncomingMessage(try event(encoded)))
    let stored = KindRegistry.standard.decode(message.kind, message.payload)
    #expect(stored.displayedText == caption ?? (type == "m.file" ? body : "[\(message.kind.rawValue)]"))
    let sent = try OutgoingContent.content(
      of: outgoing(String(decoding: message.payload, as: UTF8.self), kind: message.kind, isCountable: true))
    #expect(sent["body"]?.string == stored.displayedText)
    #expect((sent["filename"]?.string == nil) == (caption == nil))
  }

  @Test(
    "The quote that an older client puts before a reply is removed, and one that the user wrote stays",
    arguments: [
      ("> <@bob:a> is it 5?\n> or 6\n\nNo, 7", "No, 7"), ("> * <@bob:a> waves\n\nhi", "hi"),
      ("> the price is 5\n\nNo, 7", "> the price is 5\n\nNo, 7"),
    ])
  func quotes(body: String, text: String) throws {
    let content: JSONValue = [
      "msgtype": "m.text", "body": .string(body), "m.relates_to": ["m.in_reply_to": ["event_id": "$0"]],
    ]
    let encoded = String(decoding: try content.encoded(), as: UTF8.self)
    let message = try #require(IncomingMessage(try event(encoded)))
    let decoded = try JSONDecoder().decode([String: String].self, from: message.payload)
    #expect(decoded["text"] == text)
  }

  @Test(
    "Every payload comes back byte for byte, with its id, kind, parameters and mentions",
    arguments: [
      #"{"text":"hello"}"#, #"{"text":"a\/b"}"#, #"{"text":"\u0000"}"#, "no JSON", "", "\u{0}",
      #"{ "text": "x" }"#,
      #"{"mentions":[{"length":1,"start":0}],"text":"x"}"#,
    ])
  func roundTrip(_ payload: String) throws {
    for kind: MessageKind in ["text", "com.example.poll"] {
      let message = outgoing(payload, kind: kind, parameters: ["k": "v\n"], isCountable: false)
      let back = try received(message)
      #expect(back.payload == message.payload)
      #expect((back.kind, back.messageID, back.isCountable) == (kind, message.id, false))
      #expect(back.parameters == message.parameters)
      #expect(back.mentions == message.mentions)
    }
  }

  @Test("Bytes that are no text come back")
  func bytes() throws {
    let message = OutgoingMessage(
      id: MessageID(rawValue: "m1"), conversation: ConversationRef(rawValue: "!r:a"), kind: "text",
      payload: Data([0xFF, 0, 0x22]))
    #expect(try received(message).payload == message.payload)
  }

  @Test("A plain text is sent as its body alone")
  func plainText() throws {
    let content = try OutgoingContent.content(of: outgoing(#"{"text":"hello"}"#))
    #expect(content["body"] == "hello")
    #expect(content[SkeinFields.key] == ["id": "m1", "kind": "text"])
  }

  @Test("A file is sent in the form of all clients")
  func file() throws {
    let media = RemoteMedia(id: "mxc://a/1", size: 7, type: "image/png")
    let payload = try KindRegistry.encode(ImageContent(.remote(media), width: 4, height: 3))
    let message = outgoing(String(decoding: payload, as: UTF8.self), kind: "image")
    let content = try OutgoingContent.content(of: message)
    #expect(content["msgtype"] == "m.image")
    #expect(content["url"] == "mxc://a/1")
    #expect(content["info"] == ["h": 3, "mimetype": "image/png", "size": 7, "w": 4])
    #expect(try received(message).payload == payload)
  }

  @Test(
    "Messages of other clients have Skein's kinds where there is one",
    arguments: [
      (#"{"msgtype":"m.text","body":"hi"}"#, "text", #"{"text":"hi"}"#),
      (#"{"msgtype":"m.notice","body":"hi"}"#, "text", #"{"text":"hi"}"#),
      (#"{"msgtype":"m.emote","body":"waves"}"#, "text", #"{"text":"* waves"}"#),
      (#"{"msgtype":"m.text"}"#, "m.text", #"{"msgtype":"m.text"}"#),
      (#"{"msgtype":"m.image","url":"mxc://a/1"}"#, "m.image", #"{"msgtype":"m.image","url":"mxc://a/1"}"#),
      (#"{"msgtype":"x.poll","n":1.5}"#, "x.poll", #"{"msgtype":"x.poll","n":1.5}"#),
      (
        #"{"msgtype":"m.location","geo_uri":"geo:1.5,2;u=3"}"#, "location", #"{"latitude":1.5,"longitude":2}"#
      ),
      (#"{"msgtype":"m.location","geo_uri":"geo:91,2"}"#, "m.location", nil),
      (#"{}"#, "m.room.message", "{}"), (#"[]"#, "m.room.message", "[]"),
    ] as [(String, String, String?)])
  func foreign(_ content: String, _ kind: String, _ payload: String?) throws {
    let message = try #require(IncomingMessage(try event(content)))
    #expect(message.kind.rawValue == kind)
    if let payload { #expect(String(decoding: message.payload, as: UTF8.self) == payload) }
    #expect(message.isCountable == !content.contains("m.notice"))
  }

  @Test("Numbers outside of their range make a file a kind of its own, or are left out")
  func numbers() throws {
    for size in ["-1", "1e300", "\"7\""] {
      let content = #"{"msgtype":"m.file","body":"a","url":"mxc://a/1","info":{"size":\#(size)}}"#
      #expect(try IncomingMessage(event(content))?.kind == "m.file")
    }
    let content = #"{"msgtype":"m.image","url":"mxc://a/1","info":{"size":1,"w":1e300,"h":-5}}"#
    let message = try #require(IncomingMessage(try event(content)))
    let image = try JSONDecoder().decode(ImageContent.self, from: message.payload)
    #expect((image.width, image.height) == (nil, nil))
  }

  @Test("The newest valid edit is the content, and edits are no messages")
  func edits() throws {
    let edit = #"""
      {"event_id":"$2","type":"m.room.message","sender":"@alice:a","origin_server_ts":9000,
       "content":{"m.new_content":{"msgtype":"m.text","body":"new"}}}
      """#
    let related = #"{"m.relations":{"m.replace":\#(edit)}}"#
    let old = #"{"msgtype":"m.text","body":"old","io.skein.message":{"kind":"text","id":"m1"}}"#
    let message = try #require(IncomingMessage(try event(old, unsigned: related)))
    #expect(message.payload == Data(#"{"text":"new"}"#.utf8))
    #expect((message.messageID?.rawValue, message.revision) == ("m1", 9000))
    let forged = related.replacing("@alice:a", with: "@eve:a")
    #expect(try IncomingMessage(event(old, unsigned: forged))?.payload == Data(#"{"text":"old"}"#.utf8))
    let replacing = #"{"body":"*","m.relates_to":{"rel_type":"m.replace","event_id":"$1"}}"#
    #expect(try IncomingMessage(event(replacing)) == nil)
  }

  @Test("A redacted event is a recalled message of whoever redacted it")
  func redaction() throws {
    let because = #"""
      {"redacted_because":{"event_id":"$3","type":"m.room.redaction","sender":"@mod:a","origin_server_ts":7000}}
      """#
    let message = try #require(IncomingMessage(try event("{}", unsigned: because)))
    #expect(message.kind == RecalledContent.kind)
    #expect(message.payload == Data(#"{"by":"@mod:a"}"#.utf8))
    #expect((message.revision, message.sender) == (7000, "@alice:a"))
  }

  @Test("A user of Matrix has a name and a homeserver")
  func users() {
    for id: UserID in ["@a:b", "@a:b:1"] { #expect(id.isOnMatrix) }
    for id: UserID in ["a", "@a", "a:b", "@:b", "@a:", ""] { #expect(!id.isOnMatrix) }
  }

  @Test(
    "A message that another client forwards with all its fields is another message",
    arguments: [("@alice:a", "m1"), ("@bob:a", nil)])
  func forwarded(sender: String, id: String?) throws {
    var content = try OutgoingContent.content(of: outgoing(#"{"text":"hello"}"#))
    content[SkeinFields.key]?["sender"] = .string(sender)
    let message = try #require(
      IncomingMessage(try event(String(decoding: content.encoded(), as: UTF8.self))))
    #expect(message.messageID?.rawValue == id && message.kind == TextContent.kind)
  }
}
