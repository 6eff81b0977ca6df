/// The final state of a message's sending.
struct SendEnd: Sendable {
  /// The message's final row.
  let row: MessageRow
  let state: SendState
}
