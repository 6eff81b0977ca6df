import Foundation
import Testing

@testable import Skein

/// The kind that the README adds: one struct, and one line that registers it.
struct Poll: MessageContent {
  static let kind: MessageKind = "com.example.poll"
  var question: String
  var answers: [String]
}

/// A kind with attachments in every possible place.
struct Album: MessageContent {
  static let kind: MessageKind = "album"
  static let attachments = [
    AttachmentPath(\Album.cover), AttachmentPath(\Album.sound), AttachmentPath(\Album.pages),
    AttachmentPath(each: \Album.images),
  ]
  var cover: MessageAttachment
  var sound: MessageAttachment?
  var pages: [MessageAttachment]
  var images: [ImageContent]
}

@Suite("Kinds of message")
struct KindTests {
  @Test("A new kind needs only one struct and one line that registers it")
  func registration() throws {
    var kinds = KindRegistry.standard
    kinds.register(Poll.self)
    let poll = Poll(question: "Lunch?", answers: ["Noodles", "Rice"])
    let payload = try KindRegistry.encode(poll)
    #expect(kinds.decode("com.example.poll", payload).as(Poll.self) == poll)
  }

  @Test("Content of an unknown kind is kept byte for byte, and can be decoded after the kind is registered")
  func unknownKind() throws {
    let payload = try KindRegistry.encode(Poll(question: "?", answers: []))
    let stored = KindRegistry.standard.decode("com.example.poll", payload)
    #expect(stored == .unknown("com.example.poll", payload: payload))
    #expect(stored.displayedText == "[com.example.poll]")
    #expect(KindRegistry(Poll.self).decode("com.example.poll", payload).as(Poll.self)?.question == "?")
  }

  @Test("Bytes that a known kind can't read are kept as unknown")
  func damagedContent() {
    for bytes in ["", "{", "[]", #"{"text":1}"#, "\u{0}"] {
      let payload = Data(bytes.utf8)
      #expect(KindRegistry.standard.decode("text", payload) == .unknown("text", payload: payload))
    }
  }

  @Test("A registry with a memory decodes the same contents as one without, also when its memory is full")
  func remembering() throws {
    var kinds = KindRegistry.standard
    kinds.register(Poll.self)
    let known = kinds.remembering(2)
    let payloads = try ["Lunch?", "Tea?", "Dinner?"].map {
      try KindRegistry.encode(Poll(question: $0, answers: []))
    }
    for payload in payloads + payloads.reversed() + [Data("{}".utf8)] {
      #expect(known.decode(Poll.kind, payload) == kinds.decode(Poll.kind, payload))
      #expect(known.decode("unknown", payload) == kinds.decode("unknown", payload))
    }
  }

  @Test("The same content gives the same bytes")
  func stableBytes() throws {
    let location = LocationContent(latitude: 31.2, longitude: 121.5, name: "上海")
    #expect(try KindRegistry.encode(location) == KindRegistry.encode(location))
    #expect(
      String(decoding: try KindRegistry.encode(location), as: UTF8.self)
        == #"{"latitude":31.2,"longitude":121.5,"name":"上海"}"#)
  }

  @Test("Attachments are found and replaced at the key paths that the kind declares")
  func attachments() {
    func local(_ name: String) -> MessageAttachment { .file(URL(filePath: "/\(name)"), type: "image/png") }
    func remote(_ name: String) -> MessageAttachment {
      .remote(RemoteMedia(id: name, size: 1, type: "image/png"))
    }
    var album = Album(
      cover: local("a"), sound: nil, pages: [local("b"), local("c")], images: [ImageContent(local("d"))])
    #expect(album.allAttachments == ["a", "b", "c", "d"].map(local))
    album.replaceAttachments(["a", "b", "c", "d"].map(remote))
    #expect(album.cover == remote("a"))
    #expect(album.pages == [remote("b"), remote("c")])
    #expect(album.images[0].image == remote("d"))
  }
}
