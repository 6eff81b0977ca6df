import Synchronization

/// How far the server's clock is from this device's.
///
/// An answer says when the server gave it, and it gave it between the question and the answer: so each one bounds the
/// difference, and bounds that agree are narrowed (Cristian, *Probabilistic clock synchronization*, 1989). It is
/// measured against the uptime, which never jumps; the wall clock counts only until the first answer after a start.
package struct ClockSkew: Sendable, Equatable {
  /// The server's time at uptime zero lies within, in milliseconds since 1970.
  private(set) var origin: ClosedRange<Int64>?
  /// What an earlier start found the device's wall clock to be off by.
  package var stored: Duration

  package init(stored: Duration = .zero) { self.stored = stored }

  /// The moments that a server may be in without being taken for mad: from 2000 to the end of 2199.
  private static let sane: ClosedRange<Int64> = 946_684_800_000...7_258_118_399_999

  /// The server said what time it is, somewhen between two uptimes.
  package mutating func addSample(_ time: Timestamp, between asked: Duration, and answered: Duration) {
    guard Self.sane.contains(time.rawValue), asked <= answered else { return }
    // Both ends are rounded away from the middle, for the server's millisecond as well.
    let found = (time.rawValue - answered.milliseconds - 1)...(time.rawValue - asked.milliseconds + 1)
    // Where the bounds contradict each other, one of the clocks was set or has drifted: the newer word counts.
    origin = origin.flatMap { $0.overlaps(found) ? $0.clamped(to: found) : nil } ?? found
  }

  /// The server's time, as far as this device knows.
  package func now(uptime: Duration, wall: Timestamp) -> Timestamp {
    guard let origin else { return wall + stored }
    return Timestamp(rawValue: origin.lowerBound + (origin.upperBound - origin.lowerBound) / 2) + uptime
  }
}

/// Tells the server's time: what is composed here stands beside what the server dates, whatever the device believes.
package final class ServerClock: Sendable {
  private let skew = Mutex(ClockSkew())
  private let runtime: Runtime

  package init(_ runtime: Runtime) { self.runtime = runtime }

  /// The server's time; the device's where the server has never told its own.
  package var now: Timestamp { skew.withLock { $0.now(uptime: runtime.uptime(), wall: runtime.now()) } }

  /// By how much the device's wall clock is behind the server's.
  package var offset: Duration { .milliseconds(now.rawValue) - .milliseconds(runtime.now().rawValue) }

  /// What an earlier start found; counts until the server says what time it is.
  package func begin(at offset: Duration) { skew.withLock { $0.stored = offset } }

  /// The answer to what was asked at an uptime says what time it is.
  package func addSample(_ time: Timestamp?, asked: Duration) {
    guard let time else { return }
    skew.withLock { $0.addSample(time, between: asked, and: runtime.uptime()) }
  }
}
