import Foundation
import Skein
import SkeinSimulation
import Testing

@Suite("Forwarded messages")
struct ForwardingTests {
  @Test(
    "A message with a waiting edit is forwarded with its edited content, alone and merged",
    .simulated(seeds: 1...3))
  func waitingEdit() async throws {
    let client = try await stage.client("alice", on: "phone")
    let chats = [try await client.open(.direct("bob")), try await client.open(.direct("carol"))]
    let context = client.context(for: chats[0])
    client.start()
    let sent = try await client.send(TextContent("Meet at 5"), to: chats[0])
    _ = try await sent.result
    stage.server.setReachable(false)
    try await context.messenger.edit(sent.id, to: TextContent("Meet at 6"))
    let copies = try await client.forward([sent.id], to: [chats[1]])
    let merged = try await client.forward(merged: [sent.id], title: "Plans", to: chats[1])
    stage.server.setReachable(true)
    for copy in copies { #expect(try await copy.result.content.displayedText == "Meet at 6") }
    let history = try await merged.result.content.as(MergedForwardContent.self)
    let texts = history?.messages.map { String(decoding: $0.payload, as: UTF8.self) }
    #expect(texts == [#"{"text":"Meet at 6"}"#])
    await client.close()
  }

  /// Sends a picture that the server refuses, and a copy of it, which fails with it.
  private func refusedPicture(
    of client: ChatClient
  ) async throws -> (file: URL, chats: [ConversationID], picture: SentMessage, copy: SentMessage) {
    let file = stage.folder.appending(path: "picture.png")
    try Data(repeating: 7, count: 1000).write(to: file)
    let chats = [try await client.open(.direct("bob")), try await client.open(.direct("carol"))]
    let picture = try await client.send(ImageContent(file: file), to: chats[0])
    let copies = try await client.forward([picture.id], to: [chats[1]])
    stage.server.fail(next: [.refused])
    client.start()
    try await client.context(for: chats[1]).list { $0.count(.failed) == 1 }
    return (file, chats, picture, copies[0])
  }

  @Test(
    "A retried copy of a picture that was never sent has its own file, and outlives the original",
    .simulated(seeds: 1...3))
  func copiedFile() async throws {
    let client = try await stage.client("alice", on: "phone")
    let (file, chats, picture, copy) = try await refusedPicture(of: client)
    await client.stop()
    try await client.context(for: chats[1]).messenger.retry(copy.id)
    #expect(try await client.context(for: chats[0]).messenger.cancel(picture.id) == .cancelled)
    try FileManager.default.removeItem(at: file)
    client.start()
    #expect(try await copy.result.content.as(ImageContent.self)?.image.media?.id == "media-1000")
    await client.close()
  }

  @Test(
    "A failed copy of a picture can be sent after the original was sent or cancelled",
    .simulated(seeds: 1...3),
    arguments: [true, false])
  func copyAfterOriginal(isSent: Bool) async throws {
    let client = try await stage.client("alice", on: "phone")
    let (file, chats, picture, copy) = try await refusedPicture(of: client)
    try FileManager.default.removeItem(at: file)
    let original = client.context(for: chats[0])
    if isSent {
      try await original.messenger.retry(picture.id)
      try await original.list { $0.count(.sent) == 1 }
    } else {
      #expect(try await original.messenger.cancel(picture.id) == .cancelled)
    }
    await client.close()
    let later = try await stage.client("alice", on: "phone")
    later.start()
    let second = later.context(for: chats[1])
    try await second.messenger.retry(copy.id)
    try await second.list { $0.count(.sent) == 1 }
    await later.close()
  }
}
