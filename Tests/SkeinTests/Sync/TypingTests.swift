import Skein
import SkeinSimulation
import Testing

@Suite("Typing between two clients")
struct TypingTests {
  @Test(
    "Typing is shown on the other user's devices until a message arrives or a timeout ends",
    .simulated)
  func typing() async throws {
    let clients = try await Trio(stage)
    let (_, others) = try await clients.write("hello")
    let (tablet, bobs) = (others[0], others[1])
    bobs.noteTyping()
    for await typists in clients.chat.typistUpdates where typists == ["bob"] { break }
    for await typists in tablet.typistUpdates where typists == ["bob"] { break }
    #expect(bobs.typists.isEmpty)
    for await typists in clients.chat.typistUpdates where typists.isEmpty { break }
    try await stage.runtime(named: "clock").sleep(for: .seconds(5))
    bobs.noteTyping()
    for await typists in clients.chat.typistUpdates where typists == ["bob"] { break }
    _ = try await bobs.messenger.send(TextContent("hi")).result
    for await typists in clients.chat.typistUpdates where typists.isEmpty { break }
    try await clients.chat.list { $0.texts == ["hello", "hi"] }
    try await clients.close()
  }
}
