import SkeinStorage
import Testing

@testable import Skein

@Suite("Revisions that are times of several clocks")
struct RevisionTimeTests {
  /// Applies a sync with the present state of message 1.
  private static func revise(
    _ server: ArrivalServer, from: Int, revision: Int64, _ change: (inout IncomingMessage) -> Void
  ) async throws {
    var message = IncomingMessage.number(1)
    message.revision = revision
    change(&message)
    let delta = ConversationDelta(info: ArrivalServer.info, count: 0, messages: [], revised: [message])
    let batch = SyncBatch(
      from: SyncCursor(rawValue: "\(from)"), next: SyncCursor(rawValue: "\(from + 1)"),
      conversations: [delta])
    _ = try await server.store.write(.kill) { try Intake($0).apply(batch) }
  }

  private static func state(of server: ArrivalServer) async throws -> MessageState {
    try #require(try await server.rows().first).state
  }

  @Test("Another present state of the same revision is stored", .simulated(seeds: 1...1))
  func sameRevision() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1)
    let (thumb, heart) = (Reaction("+", users: ["bob"]), Reaction("h", users: ["carol"]))
    try await Self.revise(server, from: 1, revision: 100) { $0.reactions = [thumb] }
    // Carol's homeserver gave her reaction an earlier time.
    try await Self.revise(server, from: 2, revision: 100) { $0.reactions = [thumb, heart] }
    #expect(StoredReactions.decode(try await Self.state(of: server).reactions).count == 2)
    try await Self.revise(server, from: 3, revision: 99) { $0.reactions = [] }
    #expect(StoredReactions.decode(try await Self.state(of: server).reactions).count == 2)
    await server.store.database.close()
  }

  @Test("A recall with a lower revision is stored, and is final", .simulated(seeds: 1...1))
  func recall() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1)
    // The clock of the device that starred the message was ahead.
    try await Self.revise(server, from: 1, revision: 500) { $0.flags[.star] = Timestamp(milliseconds: 500) }
    try await Self.revise(server, from: 2, revision: 100) { message in
      (message.kind, message.payload) = (RecalledContent.kind, RecalledContent.payload(by: "bob"))
    }
    #expect(try await Self.state(of: server).isRecalled)
    #expect(try await Self.state(of: server).revision == 500)
    try await Self.revise(server, from: 3, revision: 500) { _ in }
    #expect(try await Self.state(of: server).isRecalled)
    // An edit from a device with a wrong clock has a higher revision than the recall.
    try await Self.revise(server, from: 4, revision: 900) { $0.edited = Timestamp(milliseconds: 900) }
    #expect(try await Self.state(of: server).isRecalled)
    await server.store.database.close()
  }
}
