/// Decides how a start goes: the contact diff first, then the catch-up, and what both bring shown in one step.
///
/// 1. The catch-up waits for the contact diff, but no longer than ten seconds.
/// 2. What they bring is withheld from the start on, until the catch-up is through or the session has ended. A fetch that
///    fails shows what has come by then.
struct LaunchGate: Sendable, Equatable {
  static let patience = Duration.seconds(10)
  /// Whether the list of conversations waits with what comes.
  private(set) var isLocked = false
  private var waitsUntil: Duration?

  /// A start.
  mutating func started(at now: Duration, waitsForContacts: Bool) {
    isLocked = true
    waitsUntil = waitsForContacts ? now + Self.patience : nil
  }

  /// The contact diff is here, or the server will never hand it out.
  mutating func contactsCame() { waitsUntil = nil }

  /// Until when the catch-up has to wait; nil if it may fetch.
  func mustWait(at now: Duration) -> Duration? { waitsUntil.flatMap { $0 > now ? $0 : nil } }

  /// The start is over: everything that the server had is here, or nothing more will come. Says whether it was withheld.
  mutating func ended() -> Bool {
    defer { isLocked = false }
    return isLocked
  }
}
