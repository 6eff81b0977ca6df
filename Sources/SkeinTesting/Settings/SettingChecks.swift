import SkeinModel

extension BackendCheck {
  /// Settings of conversations.
  static let settings: [BackendCheck] = [
    BackendCheck(
      .settings, "A setting of a conversation is stored and reported to the account's other devices",
      needs: [.settings], settingIsKept),
    BackendCheck(
      .settings, "A setting applies to one account and one conversation", needs: [.settings], settingIsOwn),
  ]

  private static func supported(by device: Device) -> [ConversationSetting] {
    let kinds = device.backend.capabilities.settings?.kinds ?? []
    return ConversationSetting.allCases.filter(kinds.contains)
  }

  private static func settingIsKept(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    try await alice.send(1, in: chat)
    let tablet = try await stage.device(of: bob.user)
    for setting in supported(by: bob) {
      // Setting and removing it twice has no other effect.
      for isSet in [true, false] {
        let cursor = try await tablet.catchUp().cursor
        for _ in 1...2 { try await bob.set(setting, to: isSet, of: chat) }
        let stated = try await tablet.catchUp(since: cursor).value(of: setting, of: chat)
        try expect(stated, is: isSet, "The setting \(setting) in the other device's next sync")
        let first = try await tablet.catchUp().value(of: setting, of: chat)
        try expect(first, is: isSet, "The setting \(setting) in a sync from the beginning")
      }
    }
  }

  private static func settingIsOwn(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let other = try await alice.open(.group(id: stage.word("group"), title: "Two", members: [bob.user])).ref
    for room in [chat, other] { try await alice.send(1, in: room) }
    for setting in supported(by: bob) {
      try await bob.set(setting, to: true, of: chat)
      let own = try await bob.catchUp()
      try expect(own.value(of: setting, of: chat), is: true, "The setting \(setting)")
      try expect(
        own.value(of: setting, of: other) != true, "The setting \(setting) applies to another conversation.")
      try expect(
        try await alice.catchUp().value(of: setting, of: chat) != true,
        "The setting \(setting) applies to another account.")
    }
  }
}
