import Foundation
import Skein
import SkeinSimulation
import Synchronization
import Testing

@Suite("Previews of links")
struct LinkPreviewsTests {
  private static let address = "https://example.com/story"
  private static let text = "@bob read https://example.com/story, it is short"

  private static func preview(_ title: String, of address: String = address) throws -> LinkPreview {
    LinkPreview(url: try #require(URL(string: address)), title: title)
  }

  @Test("Previews are off by default, and a text with a link is sent unchanged", .simulated(seeds: 1...2))
  func offByDefault() async throws {
    let client = try await stage.client("alice", on: "phone")
    client.start()
    let chat = try await client.open(.direct("bob"))
    _ = try await client.send(TextContent(Self.text), to: chat).result
    await client.close()
    let ref = try #require(stage.server.rooms().first)
    let sent = stage.server.messages(in: ref).map { String(decoding: $0.payload, as: UTF8.self) }
    #expect(sent == [#"{"text":"\#(Self.text)"}"#])
  }

  @Test("A preview is sent in the message, beside the mentions, and the receivers fetch nothing", .simulated)
  func travels() async throws {
    let fetched = Mutex<[String]>([])
    func client(_ user: UserID) async throws -> ChatClient {
      let runtime = stage.runtime(named: "pages")
      let previews = LinkPreviews { url in
        fetched.withLock { $0.append("\(user.rawValue): \(url.absoluteString)") }
        try await runtime.sleep(for: .seconds(1))
        return LinkPreview(url: url, title: "A story", summary: "In short.", site: "Example")
      }
      let client = try await stage.client(user, on: user.rawValue, with: [previews])
      client.start()
      return client
    }
    let (alice, bob) = (try await client("alice"), try await client("bob"))
    let context = alice.context(for: try await alice.open(.direct("bob")))
    var content = TextContent(Self.text, mentions: [TextMention("bob", start: 0, length: 4)])
    let sent = try await context.messenger.send(content)
    let echo = try await context.list { $0.texts == [Self.text] }
    #expect(echo.last?.message?.content.as(TextContent.self) == content)
    let message = try await sent.result
    let received = try await bob.conversations.first { $0.lastMessage != nil }.lastMessage
    content.preview = LinkPreview(
      url: try #require(URL(string: Self.address)), title: "A story", summary: "In short.", site: "Example")
    for shown in [message, received] {
      let shown = shown?.content.as(TextContent.self)
      #expect(shown == content)
    }
    #expect(received?.isMention == true)
    await alice.close()
    await bob.close()
    #expect(fetched.withLock { $0 } == ["alice: \(Self.address)"])
  }

  /// The ways in which a fetcher fails.
  enum Failing: CaseIterable {
    case nothing, noTitle, noNetwork, cancellation, refusal, permanent

    func preview(of url: URL) throws -> LinkPreview? {
      switch self {
      case .nothing: return nil
      case .noTitle: return LinkPreview(url: url, title: " \n", summary: "In short.")
      case .noNetwork: throw BackendError(.unreachable, "There is no network.")
      case .cancellation: throw CancellationError()
      case .refusal: throw SendFailure(.rejected, "That page is not for you.")
      case .permanent: throw BackendError(.permanent, "There is no such page.")
      }
    }
  }

  @Test(
    "If the fetcher throws or finds nothing, the message is sent at once without a preview",
    .simulated(seeds: 1...2),
    arguments: Failing.allCases)
  func fails(_ failing: Failing) async throws {
    let count = Mutex(0)
    let previews = LinkPreviews { url in
      count.withLock { $0 += 1 }
      return try failing.preview(of: url)
    }
    let client = try await stage.client("alice", on: "phone", with: [previews])
    client.start()
    let chat = try await client.open(.direct("bob"))
    let message = try await client.send(TextContent(Self.text), to: chat).result
    #expect(message.content == .known(TextContent(Self.text)))
    #expect(stage.world.now < .seconds(5))
    await client.close()
    #expect(count.withLock { $0 } == 1)
  }

  @Test(
    "A fetcher that hangs delays the message only until the timeout, even if it ignores cancellation",
    .simulated(seeds: 1...2),
    arguments: [true, false])
  func hangs(isListening: Bool) async throws {
    let runtime = stage.runtime(named: "pages")
    let previews = LinkPreviews(timeout: .seconds(20)) { _ in
      if isListening { try await runtime.sleep(for: .seconds(10_000)) }
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      return nil
    }
    let client = try await stage.client("alice", on: "phone", with: [previews])
    client.start()
    let chat = try await client.open(.direct("bob"))
    let message = try await client.send(TextContent(Self.text), to: chat).result
    #expect(message.content == .known(TextContent(Self.text)))
    let time = stage.world.now
    #expect(time >= .seconds(20))
    #expect(time < .seconds(25))
    await client.close()
  }

  @Test(
    "An edit has the preview that the app provides, or none, and nothing is fetched for it",
    .simulated(seeds: 1...3))
  func edit() async throws {
    let count = Mutex(0)
    let previews = LinkPreviews { url in
      count.withLock { $0 += 1 }
      return LinkPreview(url: url, title: "Fetched")
    }
    let alice = try await stage.client("alice", on: "alice", with: [previews])
    let bob = try await stage.client("bob", on: "bob")
    for client in [alice, bob] { client.start() }
    let context = alice.context(for: try await alice.open(.direct("bob")))
    let sent = try await context.messenger.send(TextContent("soon"))
    _ = try await sent.result
    let conversation = try await bob.conversations.first { $0.lastMessage != nil }
    let received = bob.context(for: conversation.id)
    let given = try Self.preview("Given")
    for edited in [TextContent(Self.text, preview: given), TextContent("Now at \(Self.address)")] {
      try await context.messenger.edit(sent.id, to: edited)
      let list = try await received.list { $0.texts == [edited.text] }
      let shown = list.last?.message?.content.as(TextContent.self)
      #expect(shown == edited)
    }
    await alice.close()
    await bob.close()
    #expect(count.withLock { $0 } == 0)
  }

  @Test("A preview has the address from the text, not from the fetcher, and an existing preview stays")
  func addressOfText() async throws {
    let previews = LinkPreviews { _ in try Self.preview("A story", of: "https://elsewhere.example/") }
    func draft(_ content: TextContent) -> MessageDraft {
      MessageDraft(
        conversation: ConversationID(rawValue: 1), messageID: MessageID(rawValue: "m"),
        content: .known(content))
    }
    var made = draft(TextContent(Self.text))
    #expect(previews.needsPreparation(made))
    try await previews.prepare(&made)
    let story = try Self.preview("A story")
    #expect(made == draft(TextContent(Self.text, preview: story)))
    for leftAlone in [made, draft(TextContent("no link"))] {
      var prepared = leftAlone
      #expect(!previews.needsPreparation(prepared))
      try await previews.prepare(&prepared)
      #expect(prepared == leftAlone)
    }
  }
}
