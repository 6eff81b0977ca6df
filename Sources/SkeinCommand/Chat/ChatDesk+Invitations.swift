import Skein
import SkeinCards

extension ChatDesk {
  /// Accepts an invitation and opens its chat, or declines it.
  ///
  /// - Parameter name: the title of the group, the inviter or the other user; nil if there is only one invitation.
  func answerInvitation(_ name: String?, accepts: Bool) async throws {
    let all = client.conversations.conversations.filter(\.asksToJoin)
    let user = name.map { UserID($0, like: client.account) }
    let found = all.filter { name == nil || $0.name == name || $0.invitation?.inviter == user }
    guard let invitation = found.first else {
      throw UsageError(all.isEmpty ? "Nobody invites you." : "There is no such invitation; see /list.")
    }
    guard found.count == 1 else {
      throw UsageError("\(found.count) invitations; type the title or the user as well: see /list.")
    }
    guard accepts else { return try await client.conversations.decline(invitation.id) }
    try await client.conversations.accept(invitation.id)
    try await show(invitation.id, name: invitation.name)
  }
}
