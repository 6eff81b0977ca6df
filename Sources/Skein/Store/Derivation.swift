/// A rule that updates derived values at the end of each unit of work.
///
/// Previews and quotes are computed anew each time, so that errors can't add up. Unread counts are usually
/// adjusted by the changes of the messages, and otherwise counted anew (``TouchedConversation/unread``). All
/// derivations and their order are listed in one place: `Derivations.all`, which a client passes to its
/// ``ChatStore``.
protocol Derivation: Sendable {
  /// Updates the derived values from the changes of a unit of work.
  func derive(in work: UnitOfWork) throws
}
