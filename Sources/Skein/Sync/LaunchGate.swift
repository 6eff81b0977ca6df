/// Decides how a start proceeds. The contact diff comes first, then the catch-up. The changes of both appear in one
/// step.
///
/// 1. The catch-up waits for the contact diff, but for at most ten seconds.
/// 2. The changes of both are withheld until the catch-up is complete, the session has ended, or the client
///    has stopped or lost the lease. If a fetch of the catch-up fails, the changes received so far are shown.
struct LaunchGate: Sendable, Equatable {
  static let patience = Duration.seconds(10)
  /// Whether the list of conversations withholds the changes that are stored now.
  private(set) var isLocked = false
  private var waitsUntil: Duration?

  /// Begins a start: changes are withheld from now on.
  mutating func started(at now: Duration, waitsForContacts: Bool) {
    isLocked = true
    waitsUntil = waitsForContacts ? now + Self.patience : nil
  }

  /// Lets the catch-up fetch. Called when the contact diff is stored, or when the server refuses to return a
  /// contact diff.
  mutating func contactsCame() { waitsUntil = nil }

  /// The uptime until which the catch-up must wait; nil if the catch-up may fetch.
  func mustWait(at now: Duration) -> Duration? { waitsUntil.flatMap { $0 > now ? $0 : nil } }

  /// Ends the start: all news was received, or no more news will be received. Returns whether changes were
  /// withheld until now.
  mutating func ended() -> Bool {
    defer { isLocked = false }
    return isLocked
  }
}
