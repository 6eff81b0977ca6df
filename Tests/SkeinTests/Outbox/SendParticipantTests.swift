import Foundation
import SkeinSimulation
import SkeinStorage
import Synchronization
import Testing

@testable import Skein

@Suite("Participants that take part in sending a message")
struct SendParticipantTests {
  static let unverified = SendFailure(.init(rawValue: "com.example.unverified"), "Verify your account first.")

  @Test(
    "Participants are called in the order of their registration, and each is told once how a message ends",
    .simulated(seeds: 1...10))
  func order() async throws {
    let transcript = Transcript()
    let client = try await stage.client(
      "alice", on: "phone",
      with: [
        TestParticipant("Ann", transcript) { $0.onContribute = { $0.parameters["last"] = "Ann" } },
        TestParticipant("Bo", transcript) {
          $0.onContribute = { $0.parameters["last", default: ""] += ", Bo" }
        },
      ])
    client.start()
    let message = try await client.send(TextContent("hello"), to: try await client.open(.direct("bob")))
      .result
    #expect(message.parameters == ["last": "Ann, Bo"])
    await client.close()
    let expected = [
      "Ann contributes to hello", "Bo contributes to hello", "Ann intercepts hello", "Bo intercepts hello",
      "Ann hears that hello will be sent", "Bo hears that hello will be sent",
      "Ann hears that hello was sent (sent)", "Bo hears that hello was sent (sent)",
    ]
    #expect(transcript.lines == expected)
  }

  @Test(
    "The end of a message is reported once, whether the receipt or sync arrives first", .simulated,
    arguments: [true, false])
  func firstWord(isReceipt: Bool) async throws {
    let transcript = Transcript()
    let client = try await stage.client("alice", on: "phone", with: [TestParticipant("Ann", transcript)]) {
      backend in
      let network = stage.runtime(named: "network")
      backend.onSend = { [inner = backend.inner] message in
        let receipt = try await inner.send(message)
        if !isReceipt { try await network.sleep(for: .seconds(5)) }
        return receipt
      }
      backend.onSync = { cursor, batch in
        if isReceipt, network.uptime() < .seconds(100) { throw BackendError(.transient, "Not yet.") }
        return batch
      }
    }
    client.start()
    let sent = try await client.send(TextContent("1"), to: try await client.open(.direct("bob")))
    _ = try await sent.result
    try await stage.runtime(named: "stage").sleep(for: .seconds(300))
    await client.close()
    let told = transcript.lines(with: "Ann hears that 1 was sent")
    #expect(told.count == 1)
  }

  @Test(
    "Parameters are posted byte for byte in every attempt, also after a restart, and reach the receiver",
    .simulated)
  func parameters() async throws {
    let posts = Mutex<[OutgoingMessage]>([])
    let count = Mutex(0)
    func client() async throws -> ChatClient {
      let counting = TestParticipant("Counter", Transcript()) { participant in
        participant.onContribute = { draft in
          draft.parameters = [
            "number": String(
              count.withLock {
                $0 += 1; return $0
              }), "é/\"": "\u{1F600}", "a": "", "b": "2",
          ]
        }
      }
      return try await stage.client("alice", on: "phone", with: [counting]) { backend in
        backend.onSend = { [inner = backend.inner] message in
          posts.withLock { $0.append(message) }
          return try await inner.send(message)
        }
        // Sync would reveal that the first attempt has arrived.
        backend.onSync = { _, _ in throw BackendError(.transient, "No sync.") }
      }
    }
    stage.server.fail(next: [.responseLost, .busy(retryAfter: nil), .requestLost, .responseLost])
    var alice = try await client()
    let chat = try await alice.open(.direct("bob"))
    let sent = try await alice.send(TextContent("1"), to: chat)
    let stored = try await alice.store.read { try $0.message(sent.id).parameters }
    let bytes = Data(#"{"a":"","b":"2","number":"1","é/\"":"😀"}"#.utf8)
    #expect(stored == bytes)
    alice.start()
    try await alice.context(for: chat).list { _ in posts.withLock { $0.count } >= 1 }
    await alice.close()

    alice = try await client()
    alice.start()
    let list = try await alice.context(for: chat).list { $0.count(.sent) == 1 }
    await alice.close()
    let all = posts.withLock { $0 }
    #expect(all.count >= 2)
    #expect(Set(all).count == 1)
    let again = try await alice.reopened(stage) { try $0.message(sent.id).parameters }
    #expect(again == bytes)
    let bob = try await stage.client("bob", on: "bob")
    bob.start()
    let received = try await bob.conversations.first { $0.lastMessage != nil }.lastMessage?.parameters
    #expect(received?["number"] == "1", "\(received ?? [:])")
    #expect(received == list.last?.message?.parameters, "\(received ?? [:])")
    await bob.close()
  }

  @Test(
    "A content that a participant replaces reaches the next participant, the list and the server",
    .simulated(seeds: 1...2))
  func replaced() async throws {
    let transcript = Transcript()
    let client = try await stage.client(
      "alice", on: "phone",
      with: [
        TestParticipant("Censor", transcript) {
          $0.onIntercept = { draft in
            draft.content = .known(TextContent(draft.text.replacing("bother", with: "b*****")))
            return .proceed
          }
        }, TestParticipant("Other", transcript),
      ])
    let chat = try await client.open(.direct("bob"))
    try await client.send(TextContent("oh bother"), to: chat)
    let list = try await client.context(for: chat).list { $0.count == 1 }
    #expect(list.texts == ["oh b*****"])
    #expect(transcript.lines.contains("Other intercepts oh b*****"))
    client.start()
    try await client.context(for: chat).list { $0.count(.sent) == 1 }
    await client.close()
    let ref = try #require(stage.server.rooms().first)
    #expect(stage.server.messages(in: ref).map(\.displayedText) == ["oh b*****"])
  }

  @Test(
    "A message that is rejected and kept is listed as failed, and a retry after the reason is gone sends it",
    .simulated)
  func rejectedAndKept() async throws {
    let transcript = Transcript()
    let isVerified = Mutex(false)
    let client = try await stage.client(
      "alice", on: "phone",
      with: [
        TestParticipant("Check", transcript) {
          $0.onContribute = { $0.parameters["verified"] = isVerified.withLock { "\($0)" } }
          $0.onIntercept = { _ in isVerified.withLock { $0 } ? .proceed : .reject(Self.unverified) }
        }, TestParticipant("Next", transcript),
      ])
    client.start()
    let context = client.context(for: try await client.open(.direct("bob")))
    let file = stage.folder.appending(path: "picture.png")
    try Data(repeating: 7, count: 1000).write(to: file)
    let sent = try await context.messenger.send(ImageContent(file: file))
    try FileManager.default.removeItem(at: file)
    #expect(try await sent.state == .failed(Self.unverified))
    try await context.list { $0.count(.failed) == 1 }
    // Still not verified: the message has failed again and keeps its place.
    try await context.messenger.retry(sent.id)
    #expect(try await sent.state == .failed(Self.unverified))
    #expect(try await client.waitingMessageCount() == 0)
    #expect(stage.server.rooms().isEmpty)
    isVerified.withLock { $0 = true }
    try await context.messenger.retry(sent.id)
    let message = try await sent.result
    #expect(message.parameters == ["verified": "true"])
    #expect(message.content.as(ImageContent.self)?.image.media?.id == "media-1000")
    await client.close()
    let failed =
      "Check hears that [image] failed (failed): com.example.unverified: Verify your account first."
    let asked = ["Check contributes to [image]", "Next contributes to [image]", "Check intercepts [image]"]
    let told = transcript.lines.filter { $0.hasPrefix("Check hears") }
    // Ends are reported even if no caller waits for them.
    #expect(told.first == failed)
    #expect(told.count { $0 == failed } == 2)
    #expect(
      told.filter { $0 != failed } == [
        "Check hears that [image] will be sent", "Check hears that [image] was sent (sent)",
      ])
    #expect(
      transcript.lines.filter { !$0.contains("hears") } == asked + asked + asked + ["Next intercepts [image]"]
    )
  }

  @Test(
    "Sending a message that is rejected and not kept throws an error, and nothing is stored",
    .simulated(seeds: 1...2))
  func rejectedAndDropped() async throws {
    let transcript = Transcript()
    let isClosed = Mutex(true)
    let client = try await stage.client(
      "alice", on: "phone",
      with: [
        TestParticipant("Shop", transcript) {
          $0.onIntercept = { _ in
            isClosed.withLock { $0 } ? .reject(Self.unverified, keepsMessage: false) : .proceed
          }
        }
      ])
    let file = stage.folder.appending(path: "picture.png")
    try Data(repeating: 7, count: 1000).write(to: file)
    client.start()
    let context = client.context(for: try await client.open(.direct("bob")))
    await #expect(throws: Self.unverified) { try await context.messenger.send(ImageContent(file: file)) }
    try await context.open()
    #expect(context.messages.isEmpty)
    let outgoing = stage.folder.appending(path: "phone/outgoing").path
    #expect(!FileManager.default.fileExists(atPath: outgoing))

    // A retry that is rejected the same way leaves a listed message unchanged.
    isClosed.withLock { $0 = false }
    stage.server.fail(next: [.refused])
    let refused = try await context.messenger.send(TextContent("1"))
    let state = try await refused.end
    isClosed.withLock { $0 = true }
    await #expect(throws: Self.unverified) { try await context.messenger.retry(refused.id) }
    #expect(try await refused.state == state)
    await client.close()
    #expect(transcript.lines(with: "failed").count == 1)
  }

  @Test(
    "Participants can modify a failure; the modified failure is stored and shown, also for dependent messages",
    .simulated)
  func modified() async throws {
    let blocked = SendFailure.Code(rawValue: "com.example.blocked")
    let client = try await stage.client(
      "alice", on: "phone",
      with: [
        TestParticipant("Words", Transcript()) {
          $0.onModify = { SendFailure($0.code == .refused ? blocked : $0.code, "Bob has blocked you.") }
        },
        TestParticipant("Tone", Transcript()) {
          $0.onModify = { SendFailure($0.code, "Sorry! \($0.message)") }
        },
      ])
    let context = client.context(for: try await client.open(.direct("bob")))
    stage.server.fail(next: [.refused])
    let first = try await context.messenger.send(TextContent("1"))
    let second = try await context.messenger.send(TextContent("2"), after: first.id)
    client.start()
    let shown = SendFailure(blocked, "Sorry! Bob has blocked you.")
    for message in [first, second] {
      #expect(try await message.end == .failed(shown))
    }
    await client.close()
    let stored = try await stage.client("alice", on: "phone")
    let list = try await stored.context(for: context.conversation).list { $0.count == 2 }
    #expect(list.allSatisfy { $0.message?.failure == shown }, "\(list.map(\.message?.failure))")
    await stored.close()
  }

  @Test(
    "A sent, failed or cancelled message is reported once, and an uncertain message again when it is found",
    .simulated(seeds: 1...10))
  func ends() async throws {
    let transcript = Transcript()
    let hidden = Mutex(true)
    let client = try await stage.client("alice", on: "phone", with: [TestParticipant("Ann", transcript)]) {
      backend in
      backend.inner.abilities.idempotency = .none
      backend.inner.abilities.echoesMessageID = .never
      backend.onSync = { cursor, batch in
        if hidden.withLock({ $0 }) { throw BackendError(.transient, "Not yet.") }
        return batch
      }
    }
    let context = client.context(for: try await client.open(.direct("bob")))
    stage.server.fail(next: [.none, .refused, .responseLost])
    var sent: [SentMessage] = []
    for text in ["fine", "refused", "lost", "withdrawn"] {
      sent.append(try await context.messenger.send(TextContent(text)))
    }
    try await sent[3].cancel()
    client.start()
    for message in sent[..<3] { _ = try await message.end }
    // This is not an end: the message failed before.
    try await sent[1].cancel()
    hidden.withLock { $0 = false }
    try await context.list { $0.count(.sent) == 2 }
    await client.close()
    let expected = [
      "Ann hears that withdrawn was cancelled", "Ann hears that fine was sent (sent)",
      "Ann hears that refused failed (failed): refused: The server rejects this.",
      "Ann hears that lost is uncertain (uncertain)", "Ann hears that lost was sent (sent)",
    ]
    let told = transcript.lines.filter { $0.contains("hears") && !$0.contains("will be") }
    #expect(told == expected)
  }

  @Test(
    "A message that may have arrived is sent again unchanged; a failed message passes the participants again",
    .simulated)
  func retries() async throws {
    let transcript = Transcript()
    let count = Mutex(0)
    let client = try await stage.client(
      "alice", on: "phone",
      with: [
        TestParticipant("Ann", transcript) {
          $0.onContribute = { draft in
            draft.parameters["number"] = String(
              count.withLock {
                $0 += 1; return $0
              })
          }
        }
      ]
    ) { backend in
      backend.inner.abilities.idempotency = .none
      backend.inner.abilities.echoesMessageID = .never
    }
    client.start()
    let context = client.context(for: try await client.open(.direct("bob")))
    stage.server.fail(next: [.refused, .requestLost])
    let refused = try await context.messenger.send(TextContent("1"))
    _ = try await refused.end
    try await context.messenger.retry(refused.id)
    let message = try await refused.result
    #expect(message.parameters == ["number": "2"])
    await client.close()

    let again = try await stage.client("alice", on: "phone", with: [TestParticipant("Bo", transcript)]) {
      backend in
      backend.inner.abilities.idempotency = .none
      backend.inner.abilities.echoesMessageID = .never
      let tries = Mutex(0)
      backend.onSend = { [inner = backend.inner] message in
        guard
          tries.withLock({
            $0 += 1; return $0
          }) > 1
        else {
          throw BackendError(.transient, "Nobody knows.", outcomeIsUnknown: true)
        }
        return try await inner.send(message)
      }
    }
    let uncertain = try await again.send(TextContent("2"), to: context.conversation)
    _ = transcript.take()
    again.start()
    guard case .uncertain = try await uncertain.end else { throw Unexpected(what: "not uncertain") }
    try await again.context(for: context.conversation).messenger.retry(uncertain.id)
    _ = try await uncertain.result
    await again.close()
    #expect(
      transcript.lines == ["Bo hears that 2 is uncertain (uncertain)", "Bo hears that 2 was sent (sent)"])
  }

  @Test(
    "Copies of forwarded messages pass the participants, which can change or reject the copies", .simulated)
  func forwarding() async throws {
    let client = try await stage.client(
      "alice", on: "phone",
      with: [
        TestParticipant("Ann", Transcript()) {
          $0.onContribute = { $0.parameters["chat"] = "\($0.conversation.rawValue)" }
          $0.onIntercept = { draft in
            switch draft.text {
            case "secret": return .reject(Self.unverified, keepsMessage: false)
            case "doubtful": return .reject(Self.unverified)
            case "rude": draft.content = .known(TextContent("polite"))
            default: break
            }
            return .proceed
          }
        }
      ])
    let bob = try await stage.client("bob", on: "bob")
    bob.start()
    client.start()
    let source = try await client.open(.direct("bob")), target = try await client.open(.direct("carol"))
    let home = try await bob.open(.direct("alice"))
    for text in ["plain", "rude", "doubtful", "secret"] { try await bob.send(TextContent(text), to: home) }
    let received = try await client.context(for: source).list { $0.texts.last == "secret" }
    let ids = received.compactMap(\.message?.id)
    await #expect(throws: Self.unverified) { try await client.forward(ids, to: [target]) }
    #expect(try await client.waitingMessageCount() == 0)
    let own = try await client.send(TextContent("own"), to: source)
    let copies = try await client.forward(Array(ids[..<3]) + [own.id], to: [target])
    #expect(try await copies[2].end == .failed(Self.unverified))
    for copy in [copies[0], copies[1], copies[3]] {
      #expect(try await copy.result.parameters == ["chat": "\(target.rawValue)"])
    }
    await bob.close()
    await client.close()
    let there = stage.server.rooms().map { stage.server.messages(in: $0).map(\.displayedText) }
    #expect(there.contains(["plain", "polite", "own"]))
  }

  @Test(
    "If an unsent picture is forwarded and the copy is changed, the copy has its own file, also for a retry",
    .simulated(seeds: 1...3))
  func changedPicture() async throws {
    let isClosed = Mutex(true)
    let client = try await stage.client(
      "alice", on: "phone",
      with: [
        TestParticipant("Frame", Transcript()) {
          $0.onIntercept = { draft in
            guard var image = draft.content.as(ImageContent.self) else { return .proceed }
            image.width = (image.width ?? 0) + 1
            draft.content = .known(image)
            return image.width == 2 && isClosed.withLock { $0 } ? .reject(Self.unverified) : .proceed
          }
        }
      ])
    let file = stage.folder.appending(path: "picture.png")
    try Data(repeating: 7, count: 1000).write(to: file)
    let chats = [try await client.open(.direct("bob")), try await client.open(.direct("carol"))]
    let picture = try await client.send(ImageContent(file: file), to: chats[0])
    try FileManager.default.removeItem(at: file)
    let copies = try await client.forward([picture.id], to: [chats[1]])
    #expect(try await copies[0].state == .failed(Self.unverified))
    client.start()
    _ = try await picture.result
    isClosed.withLock { $0 = false }
    try await client.context(for: chats[1]).messenger.retry(copies[0].id)
    let image = try await copies[0].result.content.as(ImageContent.self)
    #expect(image?.width == 3)
    #expect(image?.image.media?.id == "media-1000")
    await client.close()
  }
}

extension ChatClient {
  /// The result of a read in the database of a closed client.
  fileprivate func reopened<Result: Sendable>(
    _ stage: SimulatedStage, _ body: @Sendable (ReadTransaction) throws -> Result
  ) async throws -> Result {
    let client = try await stage.client(account, on: "phone")
    let result = try await client.store.read(body)
    await client.close()
    return result
  }
}
