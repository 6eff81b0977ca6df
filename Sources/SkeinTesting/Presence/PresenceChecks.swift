import SkeinModel

extension BackendCheck {
  /// Presence.
  static let presence: [BackendCheck] = [
    BackendCheck(
      .presence, "Whoever connects hears who is there, and the others hear that they have come",
      needs: [.presence], comingIsTold),
    BackendCheck(
      .presence, "Of whoever has no connection left it is told that they have gone",
      needs: [.presence, .cutting], goingIsTold),
  ]

  private static func comingIsTold(_ stage: Stage) async throws {
    let (alice, bob, _) = try await stage.pair()
    let alices = try await stage.listen(alice)
    let bobs = try await stage.listen(bob)
    try await bobs.hears(of: alice.user, isOnline: true)
    try await alices.hears(of: bob.user, isOnline: true)
  }

  private static func goingIsTold(_ stage: Stage) async throws {
    let (alice, bob, _) = try await stage.pair()
    let alices = try await stage.listen(alice)
    let bobs = try await stage.listen(bob)
    try await alices.hears(of: bob.user, isOnline: true)
    try await stage.cutConnections(of: bob.user)
    await bobs.ended(with: "its connection")
    try await alices.hears(of: bob.user, isOnline: false)
  }
}
