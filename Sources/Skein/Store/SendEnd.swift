/// The sending of a message has come to an end.
struct SendEnd: Sendable {
  /// The message as it was stored at the end.
  let row: MessageRow
  let state: SendState
}
