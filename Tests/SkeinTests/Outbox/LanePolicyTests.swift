import Foundation
import Skein
import SkeinSimulation
import Synchronization
import Testing

@Suite("Lane policies and the order of messages on the server")
struct LanePolicyTests {
  @Test(
    "With a media lane, a text sent during the upload of a large picture arrives before the picture",
    .simulated)
  func passing() async throws {
    let kinds = try await Self.kindsOnServer(stage, .mediaLane)
    #expect(kinds == ["text", "text", "image", "text"])
  }

  @Test("With strict order, the text waits for the picture", .simulated)
  func strict() async throws {
    let kinds = try await Self.kindsOnServer(stage, .strict)
    #expect(kinds == ["text", "image", "text", "text"])
  }

  @Test("A failing upload delays its own message only, and at most three uploads run at a time", .simulated)
  func uploads() async throws {
    let load = Load()
    let client = try await stage.client("alice", on: "phone") { backend in
      backend.beforeUpload = {
        load.begin()
        defer { load.end() }
        try await stage.runtime(named: "network").sleep(for: .seconds(3))
        if load.count % 3 == 0 { throw BackendError(.transient, "Try again.", outcomeIsUnknown: true) }
      }
    }
    client.start()
    for (number, peer) in (["b", "c", "d", "e", "f"] as [UserID]).enumerated() {
      // Each picture differs: identical pictures would be uploaded only once.
      let file = stage.folder.appending(path: "picture-\(number).png")
      try Data(repeating: 7, count: 100 + number).write(to: file)
      let chat = try await client.open(.direct(peer))
      try await client.send(ImageContent(file: file), to: chat)
      let text = try await client.send(TextContent("after"), to: chat)
      _ = try await text.result
    }
    while try await client.waitingMessageCount() > 0 {
      try await stage.runtime(named: "stage").sleep(for: .seconds(1))
    }
    #expect(load.most == 3)
    await client.close()
  }

  /// Sends a text, a picture whose upload takes ten seconds, and two texts.
  ///
  /// - Returns: the kinds of the messages, in the server's order.
  private static func kindsOnServer(_ stage: SimulatedStage, _ policy: LanePolicy) async throws
    -> [MessageKind]
  {
    var options = ChatOptions()
    options.lanePolicy = policy
    let client = try await stage.client("alice", on: "phone", options: options) { backend in
      backend.beforeUpload = { try await stage.runtime(named: "network").sleep(for: .seconds(10)) }
    }
    client.start()
    let file = stage.folder.appending(path: "picture.png")
    try Data(repeating: 7, count: 100_000).write(to: file)
    let chat = try await client.open(.direct("bob"))
    _ = try await client.send(TextContent("1"), to: chat).result
    let picture = try await client.send(ImageContent(file: file), to: chat)
    try await client.send(TextContent("2"), to: chat)
    if policy == .mediaLane { try await client.context(for: chat).list { $0.count(.sent) == 2 } }
    _ = try await picture.result
    _ = try await client.send(TextContent("3"), to: chat).result
    await client.close()
    return stage.server.messages(in: try #require(stage.server.rooms().first)).map(\.kind)
  }
}

/// Counts all calls, and the most calls that ran at the same time.
private final class Load: Sendable {
  private struct State {
    var now = 0
    var most = 0
    var count = 0
  }
  private let state = Mutex(State())
  var most: Int { state.withLock { $0.most } }
  var count: Int { state.withLock { $0.count } }
  func begin() {
    state.withLock {
      $0.now += 1
      $0.count += 1
      $0.most = max($0.most, $0.now)
    }
  }
  func end() { state.withLock { $0.now -= 1 } }
}
