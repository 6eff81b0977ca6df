/// A derived value, updated at the end of each unit of work that changed its sources.
///
/// Derived counts, previews and copies are never adjusted step by step, so that they can't drift. All
/// derivations and their order are listed in one place: `Derivations.all`, which a client passes to its
/// ``ChatStore``.
protocol Derivation: Sendable {
  /// Updates the derived values from the changes of a unit of work.
  func derive(in work: UnitOfWork) throws
}
