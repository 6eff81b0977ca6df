import Foundation
import Testing

@testable import Skein

@Suite("Reactions and pending actions")
struct ReactionTests {
  private let known = [
    Reaction("👍", users: ["alice", "bob"]), Reaction("🎉", users: ["carol"], count: 12),
  ]

  @Test("Adding an existing reaction or removing a missing one changes nothing")
  func idle() {
    #expect(known.setting("👍", by: "alice", to: true) == known)
    #expect(known.setting("🎉", by: "alice", to: false) == known)
    #expect(known.setting("🤔", by: "alice", to: false) == known)
  }

  @Test(
    "Adding or removing a user changes a reaction's count by one, and a reaction whose count is 0 is removed")
  func counts() {
    #expect(
      known.setting("🎉", by: "alice", to: true)[1] == Reaction("🎉", users: ["carol", "alice"], count: 13))
    #expect(known.setting("🎉", by: "carol", to: false)[1] == Reaction("🎉", users: [], count: 11))
    let one = [Reaction("👍", users: ["alice"])]
    #expect(one.setting("👍", by: "alice", to: false) == [])
    #expect(one.setting("🤔", by: "bob", to: true).map(\.key) == ["👍", "🤔"])
  }

  @Test("A reaction's count is never less than the number of its named users")
  func floor() { #expect(Reaction("👍", users: ["alice", "bob"], count: 1).count == 2) }

  @Test("Pending actions are applied in order, and decode as they were stored")
  func pending() throws {
    let revisions: [MessageAction] = [
      .edit("text", payload: Data("1".utf8)), .reaction("👍", isSet: true),
      .edit("text", payload: Data("2".utf8)),
      .reaction("👍", isSet: false),
    ]
    let pending = try #require(PendingActions.decode(PendingActions.encode(revisions)))
    #expect(pending == PendingActions(revisions))
    #expect(pending.edit?.payload == Data("2".utf8))
    #expect(!pending.isRecalled)
    #expect(pending.applied(to: known, by: "alice")[0].users == ["bob"])
    #expect(PendingActions.encode([]) == nil)
    #expect(PendingActions.decode(Data("{".utf8)) == nil)
  }
}
