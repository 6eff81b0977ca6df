import Foundation
import SkeinStorage
import Testing

@testable import Skein

@Suite("States of messages that are not stored yet")
struct AbsentMessageTests {
  @Test(
    "Reactions that were received before their message stay if its page states none", .simulated(seeds: 1...1)
  )
  func reactionsInAGap() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2)
    try await server.sync(8, 9, isCut: true)
    let chat = try await server.chat()
    var reacted = IncomingMessage.number(5)
    (reacted.revision, reacted.reactions) = (7, [Reaction("👍", users: ["bob"])])
    var edited = IncomingMessage.number(5)
    (edited.revision, edited.reactions) = (7, nil)
    for state in [reacted, edited] {
      try await server.store.write(.kill) { try AbsentMessages($0).apply([state], in: chat) }
    }
    let page = HistoryPage(messages: [edited], reachesStart: false, reachesEnd: false)
    try await server.store.write(.kill) { transaction in
      _ = try Intake(transaction).ingest(page, in: chat)
    }
    let row = try #require(try await server.rows().first { $0.serverID?.rawValue == "s5" })
    #expect(StoredReactions.decode(row.reactions).map(\.key) == ["👍"])
    await server.store.database.close()
  }

  @Test(
    "A recall that was received before its message is final, also with a lower revision than an edit",
    .simulated(seeds: 1...1))
  func recallInAGap() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2)
    try await server.sync(8, 9, isCut: true)
    let chat = try await server.chat()
    var edited = IncomingMessage.number(5), recalled = edited
    edited.revision = 10
    (recalled.kind, recalled.payload) = (RecalledContent.kind, RecalledContent.payload(by: "bob"))
    recalled.revision = 9
    for state in [edited, recalled, edited] {
      try await server.store.write(.kill) { try AbsentMessages($0).apply([state], in: chat) }
    }
    let page = HistoryPage(messages: [edited], reachesStart: false, reachesEnd: false)
    try await server.store.write(.kill) { transaction in
      _ = try Intake(transaction).ingest(page, in: chat)
    }
    let row = try #require(try await server.rows().first { $0.serverID?.rawValue == "s5" })
    #expect(row.isRecalled)
    await server.store.database.close()
  }
}
