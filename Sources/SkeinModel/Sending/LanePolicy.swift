/// The order in which the messages of one conversation are sent. Conversations do not wait for each other, except
/// that a forwarded copy waits until its source is sent. Under every policy, other messages overtake a parked
/// message (``SendState/parked(reason:)``).
public enum LanePolicy: Sendable, Hashable {
  /// In order of composition: a message waits for all earlier messages. An upload may begin before the
  /// message's turn to be posted.
  case strict
  /// In order of composition, with one exception: a message without attachments overtakes earlier messages
  /// with attachments that are not yet uploaded and prepared, or that wait until another message is sent. A
  /// message with attachments never overtakes an earlier message.
  case mediaLane
  /// A ready message waits only for messages that it depends on, and for the message that is being posted.
  case free
}
