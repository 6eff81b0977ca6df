import SkeinModel

extension BackendCheck {
  /// Typing.
  static let typing: [BackendCheck] = [
    BackendCheck(
      .typing, "Typing is reported to the other connected members and stored nowhere",
      needs: [.typing], typingIsReported)
  ]

  private static func typingIsReported(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let cursor = try await bob.catchUp().cursor
    let listener = try await stage.listen(bob, since: cursor)
    try await alice.noteTyping(in: chat)
    try await listener.reportsTyping(of: alice.user, in: chat)
    let caught = try await bob.catchUp(since: cursor)
    try expect(caught.messages(in: chat).count, is: 0, "The number of messages after typing")
  }
}
