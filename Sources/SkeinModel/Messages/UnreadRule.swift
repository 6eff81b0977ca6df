/// Decides which messages can be unread.
package enum UnreadRule {
  /// Whether a message counts as unread for an account that has not read it: others sent it, and it is countable.
  package static func counts(sender: UserID, account: UserID, isCountable: Bool) -> Bool {
    sender != account && isCountable
  }
}
