import Skein

extension Story {
  /// Invites a user to a group, or withdraws the user's invitation. A member is removed from the group before.
  func invite() {
    let groups = server.rooms().filter { server.info($0, for: "alice")?.type == .group }
    guard !groups.isEmpty else { return }
    let ref = groups[generator.below(groups.count)]
    let user = devices[generator.below(devices.count)].user
    let members = server.info(ref, for: user)?.members ?? []
    if server.isInvited(user, to: ref) {
      begin(.invite, "the invitation of \(user) to \(ref.rawValue) is withdrawn")
      server.endInvitation(of: user, to: ref)
    } else if let inviter = members.first(where: { $0 != user }) {
      begin(.invite, "\(inviter) invites \(user) to \(ref.rawValue)")
      if members.contains(user) {
        ledger.closes(.group(ref), of: user)
        try? server.leave(ref, by: user)
      }
      server.invite(user, to: ref, by: inviter)
    }
  }

  /// Accepts an invitation, or declines it.
  func answerInvitation(on device: Device) {
    let invitations = (device.client?.conversations.conversations).map { Array($0) } ?? []
    guard let chat = invitations.first(where: { $0.invitation?.isAccepted == false }) else { return }
    if generator.happens(perMille: 600) {
      begin(.answerInvitation, "\(device.name) accepts the invitation to \(chat.id.rawValue)")
      device.perform("accept") { try await $0.conversations.accept(chat.id) }
    } else {
      begin(.answerInvitation, "\(device.name) declines the invitation to \(chat.id.rawValue)")
      device.perform("decline") { try await $0.conversations.decline(chat.id) }
    }
  }

  /// Checks that a device lists exactly the pending invitations of its user. An accepted one is a conversation like any
  /// other then, and a declined one is on no device.
  func checkInvitations(of device: Device) {
    let list = (device.client?.conversations.conversations).map { Array($0) } ?? []
    for ref in server.rooms() {
      let conversation = list.first { $0.ref == ref }
      let shown = conversation?.invitation
      let isInvited = server.isInvited(device.user, to: ref)
      ledger.expect(
        shown?.isAccepted != true, "Z1",
        "\(device.name) has not joined \(ref.rawValue), which it has accepted")
      if shown != nil {
        ledger.expect(isInvited, "U9", "\(device.name) shows an invitation to \(ref.rawValue) that has ended")
      } else if server.hasEndedInvitation(of: device.user, to: ref) {
        ledger.expect(
          conversation == nil, "U9", "\(device.name) shows \(ref.rawValue), whose invitation has ended")
      } else if isInvited {
        ledger.expect(
          device.clears.mayBeHidden(ref), "U9",
          "\(device.name) does not show the invitation to \(ref.rawValue)")
      }
    }
  }
}
