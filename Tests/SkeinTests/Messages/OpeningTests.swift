import Skein
import SkeinSimulation
import Synchronization
import Testing

@Suite("Opening a conversation on the server")
struct OpeningTests {
  @Test(
    "Opening a conversation is repeated after an unknown outcome, however long the server knows message ids",
    .simulated,
    arguments: [BackendCapabilities.Idempotency.none, .window(.seconds(60))])
  func lostAnswer(idempotency: BackendCapabilities.Idempotency) async throws {
    let isFirst = Mutex(true)
    let client = try await stage.client("alice", on: "phone") { backend in
      backend.inner.abilities = ServerAbilities(
        idempotency: idempotency, ordering: .dense, echoesMessageID: .never)
      backend.onOpen = { [inner = backend.inner] request in
        let info = try await inner.open(request)
        guard isFirst.withLock({ exchange(&$0, for: false) }) else { return info }
        throw BackendError(.transient, "No answer.", outcomeIsUnknown: true)
      }
    }
    client.start()
    let chat = try await client.openGroup(title: "Trip", members: ["bob"])
    _ = try await client.send(TextContent("hello"), to: chat).result
    #expect(stage.server.rooms().count == 1)
    await client.close()
  }

  @Test("If opening a group fails and the user tries again, the server creates no second group", .simulated)
  func openedAgain() async throws {
    let isHeard = Mutex(false)
    var options = ChatOptions()
    options.giveUpAfter = .seconds(60)
    let client = try await stage.client("alice", on: "phone", options: options) { backend in
      // The group is created, but neither the answer nor sync arrives.
      backend.onSync = { _, _ in throw BackendError(.transient, "No sync.") }
      backend.onOpen = { [inner = backend.inner] request in
        let info = try await inner.open(request)
        if isHeard.withLock({ $0 }) { return info }
        throw BackendError(.transient, "No answer.", outcomeIsUnknown: true)
      }
    }
    client.start()
    let chat = try await client.openGroup(title: "Trip", members: ["bob", "carol"])
    let sent = try await client.send(TextContent("hello"), to: chat)
    for await state in sent.progress where state.isEnd { break }
    isHeard.withLock { $0 = true }
    try await client.context(for: chat).messenger.retry(sent.id)
    _ = try await sent.result
    #expect(stage.server.rooms().count == 1)
    await client.close()
  }

  @Test(
    "If opening a conversation fails but sync has returned it, its messages are sent and no failure is shown",
    .simulated,
    arguments: [BackendError.Code.transient, .permanent])
  func openedByOthers(code: BackendError.Code) async throws {
    let isKnown = Mutex(false)
    let client = try await stage.client("alice", on: "phone") { backend in
      backend.onOpen = { _ in
        while !isKnown.withLock({ $0 }) {
          try await stage.runtime(named: "network").sleep(for: .milliseconds(100))
        }
        throw BackendError(code, "No.")
      }
    }
    let ref = try stage.server.open(.direct("alice"), by: "bob").ref
    try stage.server.post("are you there?", from: "bob", in: ref)
    let chat = try await client.open(.direct("bob"))
    let sent = try await client.send(TextContent("yes"), to: chat)
    client.start()
    try await client.context(for: chat).list { $0.count == 2 }
    isKnown.withLock { $0 = true }
    try await stage.runtime(named: "stage").sleep(for: .seconds(600))
    let state = try await sent.state
    #expect(state == .sent)
    let failure = client.conversations.conversations.first?.failure
    #expect(failure == nil)
    await client.close()
  }
}

private func exchange(_ value: inout Bool, for new: Bool) -> Bool {
  defer { value = new }
  return value
}
