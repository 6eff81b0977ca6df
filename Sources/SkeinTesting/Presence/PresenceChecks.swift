import SkeinModel

extension BackendCheck {
  /// Presence.
  static let presence: [BackendCheck] = [
    BackendCheck(
      .presence, "A user who connects receives the presence of others, and the others receive theirs",
      needs: [.presence], onlineIsReported),
    BackendCheck(
      .presence, "The loss of a user's last connection is reported to the others",
      needs: [.presence, .cutting], offlineIsReported),
  ]

  private static func onlineIsReported(_ stage: Stage) async throws {
    let (alice, bob, _) = try await stage.pair()
    let alices = try await stage.listen(alice)
    let bobs = try await stage.listen(bob)
    try await bobs.reportsPresence(of: alice.user, isOnline: true)
    try await alices.reportsPresence(of: bob.user, isOnline: true)
  }

  private static func offlineIsReported(_ stage: Stage) async throws {
    let (alice, bob, _) = try await stage.pair()
    let alices = try await stage.listen(alice)
    let bobs = try await stage.listen(bob)
    try await alices.reportsPresence(of: bob.user, isOnline: true)
    try await stage.cutConnections(of: bob.user)
    await bobs.ended(with: "its connection")
    try await alices.reportsPresence(of: bob.user, isOnline: false)
  }
}
