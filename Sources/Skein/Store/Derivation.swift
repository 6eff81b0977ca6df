/// A consequence of what is stored, brought up to date at the end of each unit of work that touched its grounds.
///
/// Counts, previews and copies are derived and never adjusted step by step, so that they can't drift. The derivations of
/// an account and their order are listed in one place: `ChatStore.derivations`, set where a client is opened.
protocol Derivation: Sendable {
  /// Stores what follows from the changes of a unit of work.
  func derive(in work: UnitOfWork) throws
}
