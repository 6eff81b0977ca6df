import Foundation
import Skein
import SkeinCards
import SkeinExamples

/// The chats of `skein pages`, with messages of most kinds.
struct PagesChat {
  let folder: URL
  let alice: ChatClient
  let bob: ChatClient
  let carol: ChatClient

  /// Fills the chats. Returns when the server has every message; the last changes to messages may still be on
  /// their way.
  func play() async throws {
    try await playAround()
    let hers = alice.context(for: try await alice.open(.direct("bob")))
    try await hers.open()
    let first = try await hers.messenger.send(TextContent("Good morning! Is the kitchen free tonight?"))
      .result
    let his = bob.context(for: try await bob.open(.direct("alice")))
    try await his.open()
    let question = try await arrived(first.messageID, in: his)
    _ = try await his.messenger.send(
      TextContent("From seven on. I looked at recipes: https://example.com/soup"), replyingTo: question.id
    )
    .result
    try await his.messenger.addReaction("👍", to: question.id)
    try await say(
      Poll("What do we cook?", answers: ["Soup", "Hot pot"]),
      MediaFile.content(of: file("market.png", Data(PagesPicture.evening))),
      in: hers)
    try await say(LocationContent(latitude: 53.5511, longitude: 9.9937, name: "The market"), in: hers)
    try await say(
      FileContent(file: file("Shopping list.txt", Data("Leeks, potatoes, cream\n".utf8)), type: "text/plain"),
      in: hers)
    try await say(AudioContent(.file(file("hello.wav", Self.tone), type: "audio/wav"), duration: 2), in: his)
    try await say(
      StickerContent(
        .file(file("sun.png", Data(PagesPicture.sun)), type: "image/png"), meaning: "☀️"),
      in: his)
    try await say(TextContent(calling: "火锅也可以， @alice ?"), in: his)
    let slip = try await his.messenger.send(TextContent("(wrong chat, sorry)")).result
    try await his.messenger.recall(slip.id)
    let typo = try await hers.messenger.send(TextContent("Soup then. I bring bred.")).result
    try await hers.messenger.edit(typo.id, to: TextContent("Soup then. I bring bread."))
    _ = try await bob.forward(
      merged: his.messages.compactMap(\.message).filter { $0.kind == TextContent.kind && $0.status == .sent }
        .prefix(3).map(\.id),
      title: "This morning", to: his.conversation
    ).result
    try await say(
      NoticeContent("carol was invited to the kitchen"), ContactContent("carol", name: "Carol Chen"), in: his)
    let moment = MomentContent(
      .init(rawValue: "moment-1"), by: "carol", text: "First snow over the harbour",
      picture: .file(try file("snow.png", Data(PagesPicture.snow)), type: "image/png"))
    try await say(moment, MomentCommentContent(TextContent("So early this year!"), to: moment), in: his)
    try await say(
      TopicContent(
        .init(rawValue: "soups"), title: "Soups for cold days", summary: "What we cook from October to March"),
      in: hers)
    try await say(
      InvitationContent("Soup night", place: "Our kitchen", begins: alice.now + .seconds(86_400)), in: hers)
    try await say(Offer("Leeks, two for one", until: alice.now + .seconds(120)), in: hers)
    try await hers.messenger.pin(first.id)
  }

  /// Fills the other chats: a group, and carol's chats with alice and with bob.
  private func playAround() async throws {
    let group = alice.context(
      for: try await alice.openGroup(title: "Soup night", members: ["bob", "carol"]))
    try await group.open()
    try await say(TextContent("Tomorrow at seven, in our kitchen"), in: group)
    for await update in carol.conversations.changes {
      guard let known = update.snapshot.first(where: { $0.title == "Soup night" }) else { continue }
      let hers = carol.context(for: known.id)
      try await hers.open()
      try await say(TextContent(calling: "I bring bread. @bob can you bring bowls?"), in: hers)
      break
    }
    for (name, text) in [("alice", "Did you see the snow?"), ("bob", "Thank you for the book!")] {
      let chat = carol.context(for: try await carol.open(.direct(UserID(rawValue: name))))
      try await chat.open()
      try await say(TextContent(text), in: chat)
    }
  }

  /// Fills a chat with messages whose plugins fail, between messages whose plugins work.
  func playFaulty() async throws {
    let hers = alice.context(for: try await alice.open(.direct("bob")))
    try await hers.open()
    try await say(
      TextContent("Some plugins of this chat are broken."), Poll("Does it go on?", answers: ["Yes", "No"]),
      Throwing(), Hanging(), Flooding(), TextContent("And this is the end of it."), in: hers)
  }

  private func say(_ contents: any MessageContent..., in chat: ChatContext) async throws {
    for content in contents { _ = try await chat.messenger.send(content).result }
  }

  private func file(_ name: String, _ bytes: Data) throws -> URL {
    let file = folder.appending(path: name)
    try bytes.write(to: file)
    return file
  }

  private func arrived(_ name: MessageID, in chat: ChatContext) async throws -> ChatMessage {
    for await update in chat.changes {
      if let message = update.snapshot.lazy.compactMap(\.message).first(where: { $0.messageID == name }) {
        return message
      }
    }
    throw CancellationError()
  }

  /// Two seconds of a quiet tone, 8 bits at 8 kHz.
  private static let tone: Data = {
    let samples = (0..<16_000).map { UInt8(128 + 40 * sin(Double($0) * 2 * .pi * 330 / 8000)) }
    func little(_ number: UInt32, _ bytes: Int) -> [UInt8] {
      (0..<bytes).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    let count = UInt32(samples.count)
    return Data(
      Array("RIFF".utf8) + little(count + 36, 4) + Array("WAVEfmt ".utf8) + little(16, 4) + little(1, 2)
        + little(1, 2) + little(8000, 4) + little(8000, 4) + little(1, 2) + little(8, 2) + Array("data".utf8)
        + little(count, 4) + samples)
  }()
}
