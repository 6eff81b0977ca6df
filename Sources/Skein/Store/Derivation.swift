/// A derived value, updated at the end of each unit of work that changed its sources.
///
/// Counts, previews and copies are derived and never adjusted step by step, so that they can't drift. An account's
/// derivations and their order are listed in one place: `ChatStore.derivations`, set when a client is opened.
protocol Derivation: Sendable {
  /// Stores the consequences of a unit of work's changes.
  func derive(in work: UnitOfWork) throws
}
