import Foundation
import Skein
import SkeinModel
import Testing

/// Skein and matrix-nio in one room.
@Suite("A client that others wrote", .timeLimit(.minutes(3)))
struct OtherClientTests {
  private static let bytes = Data((0..<2000).map { UInt8(truncatingIfNeeded: $0) })

  @Test(
    "Skein shows each kind of message of matrix-nio, and everything that is done to one",
    arguments: SynapseClientTests.addresses)
  func received(_ address: URL) async throws {
    try await SharedChat.run(on: address) { chat in
      let (nio, room) = (chat.nio, chat.room)
      func text(_ content: String) async throws -> String {
        try await chat.message(try await nio.send(content, in: room)).content.displayedText
      }
      #expect(try await text(#"{"msgtype":"m.text","body":"hello"}"#) == "hello")
      #expect(try await text(#"{"msgtype":"m.notice","body":"note"}"#) == "note")
      #expect(try await text(#"{"msgtype":"m.emote","body":"waves"}"#) == "* waves")
      try await receiveFiles(chat)
      let place = try await chat.message(
        try await nio.send(#"{"msgtype":"m.location","body":"Rome","geo_uri":"geo:41.9,12.5"}"#, in: room))
      #expect(
        place.content.as(LocationContent.self)
          == LocationContent(latitude: 41.9, longitude: 12.5, name: "Rome"))
      let question = try await nio.send(#"{"msgtype":"m.text","body":"question"}"#, in: room)
      let answer = try await nio.send(
        #"{"msgtype":"m.text","body":"answer","m.relates_to":{"m.in_reply_to":{"event_id":"\#(question.rawValue)"}}}"#,
        in: room)
      #expect(try await chat.message(answer).quote?.message.serverID == question)
      try await receiveChanges(chat)
      try await chat.compareHistories()
    }
  }

  private func receiveFiles(_ chat: SharedChat) async throws {
    func receive<Content: MessageContent>(
      _ msgtype: String, _ type: String, _ info: String, as content: Content.Type
    ) async throws -> Content {
      let url = try await chat.nio.upload(Self.bytes, type: type)
      let id = try await chat.nio.send(
        #"""
        {"msgtype":"\#(msgtype)","body":"name","url":"\#(url)",
         "info":{"mimetype":"\#(type)","size":\#(Self.bytes.count)\#(info)}}
        """#, in: chat.room)
      return try #require(try await chat.message(id).content.as(content))
    }
    let image = try await receive("m.image", "image/png", #","w":3,"h":4"#, as: ImageContent.self)
    #expect((image.width, image.height) == (3, 4))
    let video = try await receive(
      "m.video", "video/mp4", #","w":5,"h":6,"duration":1500"#, as: VideoContent.self)
    #expect(video.duration == 1.5)
    let audio = try await receive("m.audio", "audio/ogg", #","duration":2500"#, as: AudioContent.self)
    #expect(audio.duration == 2.5)
    let file = try await receive("m.file", "application/pdf", "", as: FileContent.self)
    #expect(file.name == "name")
    for attachment in [image.image, video.video, audio.audio, file.file] {
      let fetched = try await chat.device.client.file(for: try #require(attachment.media))
      #expect(try Data(contentsOf: fetched) == Self.bytes)
    }
  }

  private func receiveChanges(_ chat: SharedChat) async throws {
    let (nio, room) = (chat.nio, chat.room)
    let id = try await nio.send(#"{"msgtype":"m.text","body":"before"}"#, in: room)
    _ = try await nio.send(
      #"""
      {"msgtype":"m.text","body":"* after","m.new_content":{"msgtype":"m.text","body":"after"},
       "m.relates_to":{"rel_type":"m.replace","event_id":"\#(id.rawValue)"}}
      """#, in: room)
    _ = try await chat.message(id) { $0.content.displayedText == "after" && $0.edited != nil }
    let own = try #require(try await chat.send(TextContent("own")).serverID)
    let reaction = try await react("👍", to: own, chat)
    _ = try await chat.message(own) { $0.reactions == [Reaction("👍", users: [nio.user])] }
    try await nio.redact(reaction, in: room)
    _ = try await chat.message(own) { $0.reactions.isEmpty }
    _ = try await react("🎉", to: own, chat)
    _ = try await chat.message(own) { $0.reactions == [Reaction("🎉", users: [nio.user])] }
    let gone = try await nio.send(#"{"msgtype":"m.text","body":"gone"}"#, in: room)
    _ = try await chat.message(gone)
    try await nio.redact(gone, in: room)
    _ = try await chat.message(gone, where: \.isRecalled)
    try await nio.type(in: room)
    for await typists in chat.context.typistUpdates where typists == [nio.user] { break }
    try await nio.mark(own, in: room)
    let message = try await chat.message(own)
    try await chat.context.receipts { $0.readers(of: message) == [nio.user] }
  }

  private func react(_ key: String, to id: ServerMessageID, _ chat: SharedChat) async throws
    -> ServerMessageID
  {
    try await chat.nio.send(
      #"{"m.relates_to":{"rel_type":"m.annotation","event_id":"\#(id.rawValue)","key":"\#(key)"}}"#,
      as: "m.reaction", in: chat.room)
  }

  @Test(
    "matrix-nio shows each kind of message of Skein, and everything that is done to one",
    arguments: SynapseClientTests.addresses)
  func sent(_ address: URL) async throws {
    try await SharedChat.run(on: address) { chat in
      let (nio, messenger) = (chat.nio, chat.context.messenger)
      let text = try await chat.send(TextContent("hello"))
      let event = try await nio.event(text.serverID)
      #expect((event.type, event.body, event.sender) == ("RoomMessageText", "hello", text.sender.rawValue))
      try await sendFiles(chat)
      let place = try await chat.send(LocationContent(latitude: 41.9, longitude: 12.5, name: "Rome"))
      let placeEvent = try await nio.event(place.serverID)
      #expect(
        (placeEvent.kind, placeEvent.place, placeEvent.body) == (
          "m.location", "geo:41.900000,12.500000", "Rome"
        ))
      let answer = try await messenger.send(TextContent("answer"), replyingTo: text.id).result
      #expect(try await nio.event(answer.serverID).replies == text.serverID?.rawValue)
      try await sendChanges(chat, of: text)
      try await chat.compareHistories()
    }
  }

  private func sendFiles(_ chat: SharedChat) async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "skein-file-\(UUID().uuidString)")
    try Self.bytes.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    func send(_ content: some MessageContent, as type: String) async throws {
      let event = try await chat.nio.event(try await chat.send(content).serverID)
      #expect(event.type == type)
      #expect(try await chat.nio.download(event.url ?? "") == Self.bytes)
    }
    try await send(ImageContent(file: file), as: "RoomMessageImage")
    try await send(VideoContent(.file(file, type: "video/mp4"), duration: 1.5), as: "RoomMessageVideo")
    try await send(AudioContent(.file(file, type: "audio/ogg"), duration: 2.5), as: "RoomMessageAudio")
    try await send(FileContent(.file(file, type: "application/pdf"), name: "a.pdf"), as: "RoomMessageFile")
  }

  private func sendChanges(_ chat: SharedChat, of text: ChatMessage) async throws {
    let (nio, messenger, room) = (chat.nio, chat.context.messenger, chat.room)
    try await messenger.edit(text.id, to: TextContent("edited"))
    let id = try await nio.send(#"{"msgtype":"m.text","body":"theirs"}"#, in: room)
    let theirs = try await chat.message(id)
    try await messenger.addReaction("👍", to: theirs.id)
    try await messenger.addReaction("🎉", to: theirs.id)
    try await messenger.removeReaction("👍", from: theirs.id)
    let gone = try await chat.send(TextContent("gone"))
    try await messenger.recall(gone.id)
    try await messenger.pin(theirs.id)
    try await chat.context.messages { $0.allSatisfy { !$0.hasPendingAction } }
    let events = try await nio.history(of: room)
    #expect(events.contains { $0.edits == text.serverID?.rawValue && $0.text == "edited" })
    #expect(events.filter { $0.reacts == id.rawValue }.map(\.key) == ["🎉"])
    #expect(events.first { $0.id == gone.serverID?.rawValue }?.type == "RedactedEvent")
    chat.context.noteTyping()
    try await nio.typing(of: text.sender, in: room)
    try await chat.context.markRead()
    try await nio.receipt(of: text.sender, for: chat.context.messages.last?.message?.serverID)
  }
}
