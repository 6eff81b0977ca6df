/// The order in which the messages of one conversation are sent. Conversations do not wait for each other, except
/// that a forwarded copy waits until its source is sent. No policy waits for a parked message
/// (``SendState/parked(reason:)``).
public enum LanePolicy: Sendable, Hashable {
  /// In order of composition: no message is posted before an earlier message. An upload may begin before the
  /// message's turn to be posted.
  case strict
  /// In order of composition, but a message without attachments overtakes messages with attachments that are still
  /// being uploaded or prepared, or that wait for another message. A message with attachments never overtakes an
  /// earlier message.
  case mediaLane
  /// Each message is sent as soon as it is ready, and waits only for the messages that it depends on.
  case free
}
