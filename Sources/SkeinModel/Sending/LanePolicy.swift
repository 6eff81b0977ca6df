/// The order in which the messages of one conversation are sent. Conversations do not wait for each other, except
/// that a forwarded copy waits until its source is sent. No policy waits for a parked message
/// (``SendState/parked(reason:)``).
public enum LanePolicy: Sendable, Hashable {
  /// In order of composition: a message waits for all earlier messages. An upload may begin before the
  /// message's turn to be posted.
  case strict
  /// In order of composition, except that a message without attachments overtakes earlier messages with
  /// attachments. These are overtaken while they are uploaded or prepared, or while they wait for another
  /// message. A message with attachments never overtakes an earlier message.
  case mediaLane
  /// A ready message waits only for messages that it depends on, and for the message that is being posted.
  case free
}
