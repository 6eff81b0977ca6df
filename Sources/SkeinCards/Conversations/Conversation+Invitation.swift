public import Skein

extension Conversation {
  /// Whether the user has to answer an invitation to the conversation.
  public var asksToJoin: Bool { invitation?.isAccepted == false }

  /// The state of the invitation to the conversation in words, the same on every surface; nil if the account is a
  /// member.
  public var invitationText: String? {
    guard let invitation else { return nil }
    if invitation.isAccepted { return "Joining …" }
    let place = type == .direct ? "a chat" : "this group"
    guard let inviter = invitation.inviter else { return "You are invited to \(place)" }
    return "\(inviter.rawValue) invites you to \(place)"
  }
}
