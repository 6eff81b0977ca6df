import Foundation
import Skein
import SkeinSimulation
import Synchronization
import Testing

@Suite("Participants that check a message before it is posted")
struct PreparationTests {
  @Test(
    "A check can change text and parameters; the original text is shown first, and the changed text is posted",
    .simulated)
  func changes() async throws {
    let transcript = Transcript()
    let bob = try await stage.client("bob", on: "bob")
    let client = try await stage.client(
      "alice", on: "phone",
      with: [
        TestParticipant("Check", transcript) {
          $0.onPrepare = { draft in
            try await stage.runtime(named: "check").sleep(for: .seconds(2))
            draft.content = .known(TextContent(draft.text.replacing("bother", with: "b*****")))
            draft.parameters["checked"] = "42"
          }
        }, TestParticipant("Stamp", transcript) { $0.onPrepare = { $0.parameters["checked"]? += "!" } },
      ])
    client.start()
    bob.start()
    let context = client.context(for: try await client.open(.direct("bob")))
    let sent = try await context.messenger.send(TextContent("oh bother"))
    let echo = try await context.list { $0.count == 1 }
    #expect(echo.texts == ["oh bother"])
    #expect(stage.server.posts.isEmpty)
    let message = try await sent.result
    #expect(message.content.displayedText == "oh b*****")
    let received = try await bob.conversations.first { $0.lastMessage != nil }.lastMessage
    #expect(received?.content.displayedText == "oh b*****")
    #expect(received?.parameters == ["checked": "42!"])
    await client.close()
    await bob.close()
    let prepared = ["Check prepares oh bother", "Stamp prepares oh b*****"]
    #expect(transcript.lines(with: "prepares") == prepared)
  }

  @Test(
    "A message that a check refuses fails with the reason, the next one is sent, and a retry checks again",
    .simulated)
  func rejects() async throws {
    let transcript = Transcript()
    let isStrict = Mutex(true)
    let rude = SendFailure(.init(rawValue: "com.example.rude"), "That is rude.")
    let client = try await stage.client(
      "alice", on: "phone",
      with: [
        TestParticipant("Check", transcript) {
          $0.onPrepare = { draft in
            guard isStrict.withLock({ $0 }) else { return }
            if draft.text == "rude" { throw rude }
            if draft.text == "banned" { throw BackendError(.permanent, "The word is banned.") }
            if draft.text == "odd" { throw SendFailure(.outcomeUnknown, "Who knows.") }
          }
        }
      ])
    client.start()
    let context = client.context(for: try await client.open(.direct("bob")))
    var sent: [SentMessage] = []
    for text in ["rude", "banned", "odd", "nice"] {
      sent.append(try await context.messenger.send(TextContent(text)))
    }
    #expect(try await sent[0].end == .failed(rude))
    let banned = SendFailure(.refused, "The word is banned.")
    #expect(try await sent[1].end == .failed(banned))
    #expect(try await sent[2].end == .failed(SendFailure(.refused, "Who knows.")))
    _ = try await sent[3].result
    #expect(stage.server.posts == [sent[3].messageID])
    isStrict.withLock { $0 = false }
    try await context.messenger.retry(sent[0].id)
    _ = try await sent[0].result
    await client.close()
    #expect(transcript.lines(with: "prepares rude").count == 2)
  }

  @Test(
    "A check that fails temporarily is repeated, completed checks are not, and messages keep their order",
    .simulated
  )
  func transient() async throws {
    let transcript = Transcript()
    let errors = Mutex<[any Error]>([
      BackendError(.unreachable, "The check is down."), BackendError(.unauthorized, "Who are you?"),
      BackendError(.rateLimited, "Slowly.", retryAfter: .seconds(20)), Unexpected(what: "no idea"),
      CancellationError(),
    ])
    let client = try await stage.client(
      "alice", on: "phone",
      with: [
        TestParticipant("First", transcript) {
          $0.onPrepare = { $0.parameters["first", default: ""] += "1" }
        },
        TestParticipant("Check", transcript) {
          $0.onPrepare = { draft in
            guard draft.text == "a" else { return }
            if let error = errors.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw error }
          }
        },
      ])
    client.start()
    let context = client.context(for: try await client.open(.direct("bob")))
    let sent = try await context.messenger.send(TextContent("a"))
    let second = try await context.messenger.send(TextContent("b"))
    // Failures of the check's server delay no message of another chat.
    let other = try await client.send(Silent(), to: try await client.open(.direct("carol")))
    let message = try await sent.result
    _ = try await (second.result, other.result)
    #expect(message.parameters == ["first": "1"])
    await client.close()
    let asked = transcript.lines.filter { $0.hasSuffix("prepares a") }
    #expect(asked == ["First prepares a"] + Array(repeating: "Check prepares a", count: 6))
    let ref = try #require(stage.server.rooms().first { $0.rawValue.contains("bob") })
    #expect(stage.server.messages(in: ref).map(\.displayedText) == ["a", "b"])
  }

  @Test(
    "A hanging check that ignores cancellation blocks only its own conversation",
    .simulated)
  func hangs() async throws {
    let transcript = Transcript()
    let isHanging = Mutex(true)
    let free = Mutex<ConversationID?>(nil)
    let client = try await stage.client(
      "alice", on: "phone",
      with: [
        TestParticipant("Check", transcript) {
          $0.preparationTimeout = .seconds(60)
          $0.onPrepare = { draft in
            guard draft.conversation != free.withLock({ $0 }), isHanging.withLock({ $0 }) else { return }
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
          }
        }
      ])
    client.start()
    let file = stage.folder.appending(path: "picture.png")
    try Data(repeating: 7, count: 1000).write(to: file)
    var stuck: [SentMessage] = []
    for number in 1...5 {
      let chat = try await client.open(.direct(UserID(rawValue: "user\(number)")))
      stuck.append(try await client.send(TextContent("stuck \(number)"), to: chat))
      stuck.append(try await client.send(ImageContent(file: file), to: chat))
    }
    while transcript.lines(with: "prepares").count < 10 {
      try await stage.runtime(named: "stage").sleep(for: .milliseconds(10))
    }
    // Texts and files of other messages pass.
    let chat = try await client.open(.direct("bob"))
    free.withLock { $0 = chat }
    _ = try await client.send(TextContent("free"), to: chat).result
    _ = try await client.send(ImageContent(file: file), to: chat).result
    #expect(stage.world.now < .seconds(30))

    #expect(try await stuck[0].cancel() == .cancelled)
    #expect(try await stuck[0].state == .cancelled)
    // The remaining checks time out and are repeated.
    isHanging.withLock { $0 = false }
    for message in stuck[1...] { _ = try await message.result }
    #expect(stage.world.now > .seconds(60))
    isHanging.withLock { $0 = true }
    free.withLock { $0 = nil }
    let last = try await client.send(TextContent("stuck for good"), to: chat)
    for await state in last.progress where state == .preparing(fraction: 0) { break }
    await client.close()
    #expect(transcript.lines(with: "prepares stuck 2").count == 2)
  }

  @Test(
    "If the process is killed during a check, the next start repeats the check, and the message is sent once",
    .simulated)
  func killed() async throws {
    let transcript = Transcript()
    let isHanging = Mutex(true)
    func open(_ folder: String) async throws -> (SimulatedProcess, ChatClient) {
      let process = SimulatedProcess(stage.world)
      var runtime = process.runtime(in: stage.folder.appending(path: folder)) { [world = stage.world] in
        Timestamp(milliseconds: 1_700_000_000_000) + world.now
      }
      runtime.installation = "phone"
      var options = ChatOptions()
      options.sendParticipants = [
        TestParticipant("First", transcript) {
          $0.onPrepare = { $0.parameters["first", default: ""] += "1" }
        },
        TestParticipant("Check", transcript) {
          $0.preparationTimeout = .seconds(10_000)
          $0.onPrepare = { [runtime] draft in
            if isHanging.withLock({ $0 }) { try await runtime.sleep(for: .seconds(1000)) }
            draft.parameters["second", default: ""] += "2"
          }
        },
      ]
      let backend = MemoryBackend(user: "alice", server: stage.server, runtime: runtime)
      let client = try await ChatClient.open(
        account: "alice", backend: backend, runtime: runtime, options: options)
      client.start()
      return (process, client)
    }
    let (process, victim) = try await open("phone")
    let chat = try await victim.open(.direct("bob"))
    try await victim.send(TextContent("1"), to: chat)
    while !transcript.lines.contains("Check prepares 1") {
      try await stage.runtime(named: "stage").sleep(for: .milliseconds(10))
    }
    process.kill()
    process.drop()
    let copy = stage.folder.appending(path: "copy")
    try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
    for file in ["chat.sqlite", "chat.sqlite-wal"] {
      try FileManager.default.copyItem(
        at: stage.folder.appending(path: "phone").appending(path: file), to: copy.appending(path: file))
    }
    isHanging.withLock { $0 = false }
    let (_, client) = try await open("copy")
    let list = try await client.context(for: chat).list { $0.count(.sent) == 1 }
    #expect(list.last?.message?.parameters == ["first": "1", "second": "2"], "\(list.texts)")
    await client.close()
    let prepared = ["First prepares 1", "Check prepares 1", "Check prepares 1"]
    #expect(transcript.lines(with: "prepares") == prepared)
    #expect(stage.server.posts.count == 1)
  }

  @Test(
    "A file is uploaded before its message is checked, and a later text does not wait for the upload",
    .simulated)
  func afterAttachments() async throws {
    let transcript = Transcript()
    let client = try await stage.client(
      "alice", on: "phone",
      with: [
        TestParticipant("Check", transcript) {
          $0.onPrepare = { draft in
            if let image = draft.content.as(ImageContent.self)?.image {
              draft.parameters["checked"] = image.media?.id ?? "not there"
            }
          }
        }
      ]
    ) { backend in
      backend.beforeUpload = { try await stage.runtime(named: "network").sleep(for: .seconds(100)) }
    }
    client.start()
    let chat = try await client.open(.direct("bob"))
    let file = stage.folder.appending(path: "picture.png")
    try Data(repeating: 7, count: 1000).write(to: file)
    let picture = try await client.send(ImageContent(file: file), to: chat)
    _ = try await client.send(TextContent("passes"), to: chat).result
    #expect(stage.world.now < .seconds(50))
    let message = try await picture.result
    #expect(message.parameters == ["checked": "media-1000"])
    await client.close()
  }
}

/// A content that no check refuses.
private struct Silent: MessageContent {
  static let kind: MessageKind = "silent"
}
