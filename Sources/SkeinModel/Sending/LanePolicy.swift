/// In which order the messages of one conversation go out; conversations never wait for each other.
public enum LanePolicy: Sendable, Hashable {
  /// In the order in which they were composed. Uploads begin early; nothing is posted before what was composed earlier.
  case strict
  /// In that order as well, but a message that is ready goes before media that are still being uploaded. Media stay in
  /// their order among themselves, and never go before a message that was composed earlier.
  case mediaLane
  /// Whichever is ready; only what a message depends on goes before it.
  case free
}
