/// Decides which messages can be unread.
package enum UnreadRule {
  /// Whether a message counts as unread until it is read: another user sent it, and it is countable.
  package static func counts(sender: UserID, account: UserID, isCountable: Bool) -> Bool {
    sender != account && isCountable
  }
}
