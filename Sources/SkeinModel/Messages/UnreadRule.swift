/// Decides which messages can be unread.
package enum UnreadRule {
  /// Whether a message counts as unread until the user reads it: another user sent the message, and it is countable.
  package static func counts(sender: UserID, account: UserID, isCountable: Bool) -> Bool {
    sender != account && isCountable
  }
}
