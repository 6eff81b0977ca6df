import SkeinModel

extension BackendCheck {
  /// Invitations.
  static let invitations: [BackendCheck] = [
    BackendCheck(
      .invitations,
      "An invitation is announced, and listed by syncs of all devices, with its inviter and without messages",
      needs: [.inviting], listed),
    BackendCheck(
      .invitations,
      "An accepted invitation makes the account a member on all devices, and can be accepted again",
      needs: [.inviting], accepted),
    BackendCheck(
      .invitations, "A declined invitation has ended on all devices, and can be declined again",
      needs: [.inviting, .leaving], declined),
    BackendCheck(
      .invitations,
      "A withdrawn invitation has ended on all devices, and its acceptance is refused permanently",
      needs: [.inviting], withdrawn),
    BackendCheck(
      .invitations, "An invitation has ended on all devices if one has accepted it and left the group",
      needs: [.inviting, .leaving], left),
  ]

  /// Two devices of Alice, whom Bob can invite to a group with two messages, and the cursor of each device.
  private struct Scene {
    let stage: Stage
    let devices: [Device]
    let bob: Device
    let group: ConversationRef
    var cursors: [SyncCursor] = []

    init(_ stage: Stage) async throws {
      self.stage = stage
      let phone = try await stage.invitedDevice()
      devices = [phone, try await stage.invitedDevice(of: phone.user)]
      let carol = try await stage.device()
      bob = try await stage.device()
      group = try await bob.open(
        .group(id: stage.word("group"), title: "Climbing", members: [carol.user])
      ).ref
      try await bob.send(2, in: group)
      for device in devices { cursors.append(try await device.catchUp().cursor) }
    }

    func invite() async throws {
      try await stage.invite(devices[0].user, to: group, by: bob.user)
    }

    /// Syncs each device from its cursor, and from the beginning.
    func syncs(
      _ check: (_ device: Device, _ caught: CaughtUp, _ isFirst: Bool) async throws -> Void
    ) async throws {
      for (device, cursor) in zip(devices, cursors) {
        try await check(device, try await device.catchUp(since: cursor), false)
        try await check(device, try await device.catchUp(), true)
      }
    }

    func isListed(in caught: CaughtUp) -> Bool {
      caught.batches.flatMap(\.invitations).contains { $0.info.ref == group }
    }

    /// Invites Alice, and waits until her devices have received the invitation.
    mutating func inviteAndCatchUp() async throws {
      try await invite()
      for (index, cursor) in cursors.enumerated() {
        let caught = try await devices[index].catchUp(since: cursor)
        try expect(isListed(in: caught), "A sync does not list an invitation.")
        cursors[index] = caught.cursor
      }
    }

    /// Checks that no device has the invitation any more, and that all devices receive another invitation.
    mutating func end() async throws {
      try await syncs { _, caught, isFirst in
        try expect(!isListed(in: caught), "A sync lists an invitation that has ended.")
        try expect(caught.deltas(of: group).isEmpty, "A sync returns a conversation that was not joined.")
        if !isFirst {
          let left = Set(caught.batches.flatMap(\.left))
          try expect(left, is: [group], "The conversations that a sync reports as left")
        }
      }
      for (index, cursor) in cursors.enumerated() {
        cursors[index] = try await devices[index].catchUp(since: cursor).cursor
      }
      try await inviteAndCatchUp()
    }
  }

  private static func listed(_ stage: Stage) async throws {
    let scene = try await Scene(stage)
    let listener = try await stage.listen(scene.devices[0], since: scene.cursors[0])
    try await scene.invite()
    try await scene.syncs { _, caught, _ in
      let found = caught.batches.flatMap(\.invitations).filter { $0.info.ref == scene.group }
      try expect(!found.isEmpty, "A sync does not list an invitation.")
      for invitation in found {
        try expect(invitation.info.type, is: .group, "The type of the conversation")
        if let inviter = invitation.inviter { try expect(inviter, is: scene.bob.user, "The inviter") }
        if let title = invitation.info.title { try expect(title, is: "Climbing", "The title") }
      }
      try expect(
        caught.deltas(of: scene.group).isEmpty, "A sync returns the conversation of an unanswered invitation."
      )
    }
    _ = try await listener.announces("an invitation", since: scene.cursors[0]) { batch in
      batch.invitations.contains { $0.info.ref == scene.group }
    }
  }

  private static func accepted(_ stage: Stage) async throws {
    var scene = try await Scene(stage)
    try await scene.inviteAndCatchUp()
    for device in scene.devices + scene.devices {
      let info = try await device.open(.invitation(scene.group))
      try expect(info.ref, is: scene.group, "The id of the conversation")
    }
    let message = try scene.bob.text(in: scene.group)
    try await scene.bob.send(message)
    let own = try scene.devices[0].text(in: scene.group)
    try await scene.devices[0].send(own)
    let all = try await scene.bob.history(of: scene.group).texts
    let (bob, group) = (scene.bob.user, scene.group)
    try await scene.syncs { device, caught, _ in
      for message in [message, own] {
        _ = try caught.messages(in: group).only(message, where: "a sync")
      }
      try expect(!scene.isListed(in: caught), "A sync lists an invitation that was accepted.")
      if let members = try caught.info(of: group).members {
        try expect(Set(members).isSuperset(of: [device.user, bob]), "The member list lacks a member.")
      }
      // The server decides how much of the earlier history a new member sees.
      let history = try await device.history(of: group)
      for message in [message, own] { _ = try history.only(message, where: "the history") }
      try expect(
        Set(history.texts).isSubset(of: all), "The history has messages that another member does not have.")
    }
  }

  private static func declined(_ stage: Stage) async throws {
    var scene = try await Scene(stage)
    try await scene.inviteAndCatchUp()
    for device in scene.devices + scene.devices { try await device.leave(scene.group) }
    try await scene.end()
  }

  private static func left(_ stage: Stage) async throws {
    var scene = try await Scene(stage)
    try await scene.inviteAndCatchUp()
    _ = try await scene.devices[0].open(.invitation(scene.group))
    try await scene.devices[0].leave(scene.group)
    try await scene.end()
  }

  private static func withdrawn(_ stage: Stage) async throws {
    var scene = try await Scene(stage)
    try await scene.inviteAndCatchUp()
    try await stage.withdrawInvitation(of: scene.devices[0].user, to: scene.group, by: scene.bob.user)
    for device in scene.devices {
      let error = try await stage.error(of: "The acceptance of a withdrawn invitation") {
        _ = try await device.open(.invitation(scene.group))
      }
      try expect(error.code, is: .permanent, "The code of the refusal")
    }
    try await scene.end()
  }
}
