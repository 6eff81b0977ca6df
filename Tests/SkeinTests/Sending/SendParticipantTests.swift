import Foundation
import SkeinSimulation
import SkeinStorage
import Synchronization
import Testing

@testable import Skein

@Suite("Participants of sending")
struct SendParticipantTests {
  static let unverified = SendFailure(.init(rawValue: "com.example.unverified"), "Verify your account first.")

  @Test("They are asked in the order of their registration, call by call, and hear of the end once")
  func order() async {
    let failures = await SimulatedRun.play(seeds: 1...10) { stage in
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
      try expect(message.parameters == ["last": "Ann, Bo"], "\(message.parameters)")
      await client.close()
      let expected = [
        "Ann contributes to hello", "Bo contributes to hello", "Ann intercepts hello", "Bo intercepts hello",
        "Ann hears that hello will be sent", "Bo hears that hello will be sent",
        "Ann hears that hello was sent (sent)", "Bo hears that hello was sent (sent)",
      ]
      try expect(transcript.lines == expected, "\(transcript.lines)")
    }
    #expect(failures == [])
  }

  @Test("The end is told once, whether the receipt or sync is first", arguments: [true, false])
  func firstWord(isReceipt: Bool) async {
    let failures = await SimulatedRun.play { stage in
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
      try expect(told.count == 1, "\(told)")
    }
    #expect(failures == [])
  }

  @Test("Parameters go out byte for byte with every attempt, over a restart as well, and reach the receiver")
  func parameters() async {
    let failures = await SimulatedRun.play { stage in
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
          // It would tell that the first attempt has arrived.
          backend.onSync = { _, _ in throw BackendError(.transient, "No sync.") }
        }
      }
      stage.server.fail(next: [.responseLost, .busy(retryAfter: nil), .requestLost, .responseLost])
      var alice = try await client()
      let chat = try await alice.open(.direct("bob"))
      let sent = try await alice.send(TextContent("1"), to: chat)
      let stored = try await alice.store.read { try $0.message(sent.id).parameters }
      let bytes = Data(#"{"a":"","b":"2","number":"1","é/\"":"😀"}"#.utf8)
      try expect(stored == bytes, String(decoding: stored ?? Data(), as: UTF8.self))
      alice.start()
      try await alice.context(for: chat).list { _ in posts.withLock { $0.count } >= 1 }
      await alice.close()

      alice = try await client()
      alice.start()
      let list = try await alice.context(for: chat).list { $0.count(.sent) == 1 }
      await alice.close()
      let all = posts.withLock { $0 }
      try expect(all.count >= 2 && Set(all).count == 1, "\(all)")
      let again = try await alice.reopened(stage) { try $0.message(sent.id).parameters }
      try expect(again == bytes, "other bytes are stored")
      let bob = try await stage.client("bob", on: "bob")
      bob.start()
      let received = try await bob.conversations.first { $0.lastMessage != nil }.lastMessage?.parameters
      try expect(
        received?["number"] == "1" && received == list.last?.message?.parameters, "\(received ?? [:])")
      await bob.close()
    }
    #expect(failures == [])
  }

  @Test("What one puts in the place of a content is what the next one, the list and the server get")
  func replaced() async {
    let failures = await SimulatedRun.play(seeds: 1...2) { stage in
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
      try expect(list.texts == ["oh b*****"], "\(list.texts)")
      try expect(transcript.lines.contains("Other intercepts oh b*****"), "\(transcript.lines)")
      client.start()
      try await client.context(for: chat).list { $0.count(.sent) == 1 }
      await client.close()
      let ref = try #require(stage.server.rooms().first)
      try expect(stage.server.messages(in: ref).map(\.displayedText) == ["oh b*****"], "sent as it was")
    }
    #expect(failures == [])
  }

  @Test("Stopped and kept, a message stands in the list as failed; once its reason is gone, a retry sends it")
  func rejectedAndKept() async {
    let failures = await SimulatedRun.play { stage in
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
      try await sent.expect(state: .failed(Self.unverified))
      try await context.list { $0.count(.failed) == 1 }
      // Still not verified: it has failed again, and is where it was.
      try await context.messenger.retry(sent.id)
      try await sent.expect(state: .failed(Self.unverified))
      try expect(
        try await client.waitingMessageCount() == 0 && stage.server.rooms().isEmpty, "something waits")
      isVerified.withLock { $0 = true }
      try await context.messenger.retry(sent.id)
      let message = try await sent.result
      try expect(message.parameters == ["verified": "true"], "\(message.parameters)")
      try expect(message.content.as(ImageContent.self)?.image.media?.id == "media-1000", "\(message.content)")
      await client.close()
      let failed =
        "Check hears that [image] failed (failed): com.example.unverified: Verify your account first."
      let asked = ["Check contributes to [image]", "Next contributes to [image]", "Check intercepts [image]"]
      let told = transcript.lines.filter { $0.hasPrefix("Check hears") }
      // Ends are told where nobody waits for them.
      try expect(told.first == failed && told.count { $0 == failed } == 2, "\(told)")
      try expect(
        told.filter { $0 != failed } == [
          "Check hears that [image] will be sent", "Check hears that [image] was sent (sent)",
        ], "\(told)")
      try expect(
        transcript.lines.filter { !$0.contains("hears") } == asked + asked + asked + [
          "Next intercepts [image]"
        ],
        "\(transcript.lines)")
    }
    #expect(failures == [])
  }

  @Test("Stopped and not kept, a message is an error for whoever sends it, and nothing is stored")
  func rejectedAndDropped() async {
    let failures = await SimulatedRun.play(seeds: 1...2) { stage in
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
      try expect(context.messages.isEmpty, "something is stored")
      let outgoing = stage.folder.appending(path: "phone/outgoing").path
      try expect(!FileManager.default.fileExists(atPath: outgoing), "a copy is left")

      // A retry that is stopped the same way leaves a message that is there as it was.
      isClosed.withLock { $0 = false }
      stage.server.fail(next: [.refused])
      let refused = try await context.messenger.send(TextContent("1"))
      let state = try await refused.end
      isClosed.withLock { $0 = true }
      await #expect(throws: Self.unverified) { try await context.messenger.retry(refused.id) }
      try await refused.expect(state: state)
      await client.close()
      try expect(transcript.lines(with: "failed").count == 1, "\(transcript.lines)")
    }
    #expect(failures == [])
  }

  @Test("Why a message failed is stored and shown as the modifiers put it, for what waits for it as well")
  func modified() async {
    let failures = await SimulatedRun.play { stage in
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
        try await message.expect(end: .failed(shown))
      }
      await client.close()
      let stored = try await stage.client("alice", on: "phone")
      let list = try await stored.context(for: context.conversation).list { $0.count == 2 }
      try expect(list.allSatisfy { $0.message?.failure == shown }, "\(list.map(\.message?.failure))")
      await stored.close()
    }
    #expect(failures == [])
  }

  @Test("Each end is told once: sent, failed, cancelled; and what is uncertain ends again when it turns up")
  func ends() async {
    let failures = await SimulatedRun.play(seeds: 1...10) { stage in
      let transcript = Transcript()
      let hidden = Mutex(true)
      let client = try await stage.client("alice", on: "phone", with: [TestParticipant("Ann", transcript)]) {
        backend in
        backend.inner.capabilities.idempotency = .none
        backend.inner.capabilities.echoesMessageID = .never
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
      // Not an end: it failed before.
      try await sent[1].cancel()
      hidden.withLock { $0 = false }
      try await context.list { $0.count(.sent) == 2 }
      await client.close()
      let expected = [
        "Ann hears that withdrawn was cancelled", "Ann hears that fine was sent (sent)",
        "Ann hears that refused failed (failed): refused: The server does not take this.",
        "Ann hears that lost is uncertain (uncertain)", "Ann hears that lost was sent (sent)",
      ]
      let told = transcript.lines.filter { $0.contains("hears") && !$0.contains("will be") }
      try expect(told == expected, "\(told)")
    }
    #expect(failures == [])
  }

  @Test(
    "What may have arrived is sent again byte for byte, and nobody is asked; what failed is asked for anew")
  func retries() async {
    let failures = await SimulatedRun.play { stage in
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
        backend.inner.capabilities.idempotency = .none
        backend.inner.capabilities.echoesMessageID = .never
      }
      client.start()
      let context = client.context(for: try await client.open(.direct("bob")))
      stage.server.fail(next: [.refused, .requestLost])
      let refused = try await context.messenger.send(TextContent("1"))
      _ = try await refused.end
      try await context.messenger.retry(refused.id)
      let message = try await refused.result
      try expect(message.parameters == ["number": "2"], "\(message.parameters)")
      await client.close()

      let again = try await stage.client("alice", on: "phone", with: [TestParticipant("Bo", transcript)]) {
        backend in
        backend.inner.capabilities.idempotency = .none
        backend.inner.capabilities.echoesMessageID = .never
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
      try expect(
        transcript.lines == ["Bo hears that 2 is uncertain (uncertain)", "Bo hears that 2 was sent (sent)"],
        "\(transcript.lines)")
    }
    #expect(failures == [])
  }

  @Test("Copies of a forward go along the same line: with parameters, replaced, or none at all")
  func forwarding() async {
    let failures = await SimulatedRun.play { stage in
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
      try expect(try await client.waitingMessageCount() == 0, "some are stored")
      let own = try await client.send(TextContent("own"), to: source)
      let copies = try await client.forward(Array(ids[..<3]) + [own.id], to: [target])
      try await copies[2].expect(end: .failed(Self.unverified))
      for copy in [copies[0], copies[1], copies[3]] {
        try expect(try await copy.result.parameters == ["chat": "\(target.rawValue)"], "\(copy)")
      }
      await bob.close()
      await client.close()
      let there = stage.server.rooms().map { stage.server.messages(in: $0).map(\.displayedText) }
      try expect(there.contains(["plain", "polite", "own"]), "\(there)")
    }
    #expect(failures == [])
  }

  @Test("A copy that is changed of a picture on its way has a file of its own, and keeps it over a retry")
  func changedPicture() async {
    let failures = await SimulatedRun.play(seeds: 1...3) { stage in
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
      try await copies[0].expect(state: .failed(Self.unverified))
      client.start()
      _ = try await picture.result
      isClosed.withLock { $0 = false }
      try await client.context(for: chats[1]).messenger.retry(copies[0].id)
      let image = try await copies[0].result.content.as(ImageContent.self)
      try expect(image?.width == 3 && image?.image.media?.id == "media-1000", "\(String(describing: image))")
      await client.close()
    }
    #expect(failures == [])
  }
}

extension ChatClient {
  /// What a database holds that was closed.
  fileprivate func reopened<Result: Sendable>(
    _ stage: SimulatedStage, _ body: @Sendable (ReadTransaction) throws -> Result
  ) async throws -> Result {
    let client = try await stage.client(account, on: "phone")
    let result = try await client.store.read(body)
    await client.close()
    return result
  }
}
