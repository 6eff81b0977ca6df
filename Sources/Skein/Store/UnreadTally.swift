/// The numbers of stored unread messages, without messages deleted here; or a change of these numbers.
struct UnreadTally: Equatable {
  var messages = 0
  /// The messages that mention this account.
  var mentions = 0

  static func += (tally: inout UnreadTally, other: UnreadTally) {
    tally.messages += other.messages
    tally.mentions += other.mentions
  }

  static func -= (tally: inout UnreadTally, other: UnreadTally) {
    tally.messages -= other.messages
    tally.mentions -= other.mentions
  }
}
