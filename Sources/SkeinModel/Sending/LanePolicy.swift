/// The order in which the messages of one conversation are sent; conversations never wait for each other.
public enum LanePolicy: Sendable, Hashable {
  /// In order of composition. Uploads begin early; no message is posted before one that was composed earlier.
  case strict
  /// In order of composition, but a message that is ready overtakes media that are still being uploaded. Media keep
  /// their order among themselves, and never overtake an earlier message.
  case mediaLane
  /// Each message is sent as soon as it is ready; it waits only for messages that it depends on.
  case free
}
