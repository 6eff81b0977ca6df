/// A derived value, updated at the end of each unit of work that changed its sources.
///
/// Derived counts, previews and copies are never adjusted step by step, so that they can't drift. An
/// account's derivations and their order are listed in one place: `ChatStore.derivations`, set when a client
/// is opened.
protocol Derivation: Sendable {
  /// Updates the derived values from the changes of a unit of work.
  func derive(in work: UnitOfWork) throws
}
