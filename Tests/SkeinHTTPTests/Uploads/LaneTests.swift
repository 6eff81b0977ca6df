import Foundation
import Skein
import SkeinHTTP
import Testing

@Suite("The order in which a text and a video of 20 MB arrive", .timeLimit(.minutes(3)))
struct LaneTests {
  @Test("With a media lane, a text sent during the upload of a video arrives first")
  func mediaLane() async throws {
    try await TestWorld.run { world in
      let (chat, video, gate) = try await Self.videoUnderWay(world, .mediaLane)
      let text = try await chat.messenger.send(TextContent("Can you see it?"))
      let sent = try await text.result
      #expect(sent.status == .sent)
      let waiting = try #require(await Self.waiting(video))
      #expect((0.1..<1).contains(waiting))
      gate.open()
      _ = try await video.result
      let kinds = try await Self.kindsOnServer(world)
      #expect(kinds == ["text", "video"])
    }
  }

  @Test("With strict order, the text arrives after the video")
  func strict() async throws {
    try await TestWorld.run { world in
      let (chat, video, gate) = try await Self.videoUnderWay(world, .strict)
      let text = try await chat.messenger.send(TextContent("Can you see it?"))
      for await state in text.progress where state == .blocked(by: video.id) { break }
      // Neither message is on the server, although the text has been ready from the start.
      #expect(world.posts.value == 0)
      gate.open()
      _ = try await text.result
      let kinds = try await Self.kindsOnServer(world)
      #expect(kinds == ["video", "text"])
    }
  }

  /// A chat with a video whose upload stops half-way until the gate opens.
  private static func videoUnderWay(
    _ world: TestWorld, _ policy: LanePolicy
  ) async throws -> (chat: ChatContext, video: SentMessage, gate: Gate) {
    let gate = Gate()
    let session = try await world.user("alice")
    _ = try await world.user("bob")
    var options = ChatOptions()
    options.lanePolicy = policy
    let backend = StoppingBackend(backend: HTTPBackend(session, options: .patient), gate: gate)
    let alice = try await world.client("alice", backend, options)
    let chat = alice.context(for: try await alice.open(.direct("bob")))
    let file = try world.file("film.mp4", size: 20 << 20)
    let video = try await chat.messenger.send(VideoContent(.file(file, type: "video/mp4")))
    for await state in video.progress {
      if case .preparing(let fraction) = state, fraction >= 0.5 { break }
    }
    return (chat, video, gate)
  }

  /// The progress of the upload; nil if the message is not being prepared.
  private static func waiting(_ message: SentMessage) async throws -> Double? {
    if case .preparing(let fraction) = try await message.state { fraction } else { nil }
  }

  /// The kinds of the two messages, in the server's order.
  private static func kindsOnServer(_ world: TestWorld) async throws -> [MessageKind] {
    let bob = try await world.client(try await world.signIn("bob"))
    let chat = bob.context(for: try await bob.conversation { $0.lastMessage != nil }.id)
    return try await chat.messages { $0.count == 2 }.map(\.kind)
  }
}

/// The real backend, whose uploads stop half-way until a gate opens.
private struct StoppingBackend: ChatBackend, MediaBackend {
  let backend: HTTPBackend
  let gate: Gate

  var capabilities: BackendCapabilities {
    var capabilities = backend.capabilities
    capabilities.media = self
    return capabilities
  }

  func run(since cursor: SyncCursor?, _ receive: @escaping BackendReceiver) async throws {
    try await backend.run(since: cursor, receive)
  }
  func sync(since cursor: SyncCursor?, limit: Int) async throws -> SyncBatch {
    try await backend.sync(since: cursor, limit: limit)
  }
  func history(of conversation: ConversationRef, at anchor: HistoryAnchor, limit: Int) async throws
    -> HistoryPage
  {
    try await backend.history(of: conversation, at: anchor, limit: limit)
  }
  func send(_ message: OutgoingMessage) async throws -> SendReceipt { try await backend.send(message) }
  func open(_ request: ConversationRequest) async throws -> ConversationInfo {
    try await backend.open(request)
  }

  func upload(_ source: UploadSource, resuming token: UploadToken?, report: UploadReporter) async throws
    -> RemoteMedia
  {
    try await backend.upload(source, resuming: token) { step in
      try await report(step)
      if step.sent * 2 >= step.total { await gate.wait() }
    }
  }

  func download(_ media: RemoteMedia, to file: URL) async throws {
    try await backend.download(media, to: file)
  }
}
