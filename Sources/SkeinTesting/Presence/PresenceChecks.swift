import Skein

extension BackendCheck {
  /// Who is there.
  static let presence: [BackendCheck] = [
    BackendCheck(
      .presence, "Whoever connects hears who is there, and then who comes and goes", needs: [.presence],
      comingAndGoingIsTold)
  ]

  private static func comingAndGoingIsTold(_ stage: Stage) async throws {
    let (alice, bob, _) = try await stage.pair()
    let alices = try await stage.listen(alice)
    let bobs = try await stage.listen(bob)
    try await bobs.hears(of: alice.user, isOnline: true)
    try await alices.hears(of: bob.user, isOnline: true)
    bobs.cancel()
    await bobs.ended()
    try await alices.hears(of: bob.user, isOnline: false)
  }
}
