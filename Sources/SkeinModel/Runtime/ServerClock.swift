import Synchronization

/// The difference between the server's clock and this device's clock.
///
/// The server reads its clock after the request is sent and before the answer arrives, so each answer bounds
/// the difference. Bounds that overlap are intersected (Cristian, *Probabilistic clock synchronization*,
/// 1989). The difference is measured against the uptime, which never jumps. After a start, the wall clock is
/// used only until the first answer with a time.
package struct ClockSkew: Sendable, Equatable {
  /// The bounds of the server's time at uptime zero, in milliseconds since 1970.
  private(set) var origin: ClosedRange<Int64>?
  /// The difference between the server's time and the device's wall clock, as measured in an earlier run.
  package var stored: Duration

  package init(stored: Duration = .zero) { self.stored = stored }

  /// The plausible range of the server's time, from 2000 to the end of 2199; other times are ignored.
  private static let sane: ClosedRange<Int64> = 946_684_800_000...7_258_118_399_999

  /// Adds the server's time from an answer.
  ///
  /// - Parameters:
  ///   - asked: the uptime at which the request was sent.
  ///   - answered: the uptime at which the answer arrived.
  package mutating func addSample(_ time: Timestamp, between asked: Duration, and answered: Duration) {
    guard Self.sane.contains(time.rawValue), asked <= answered else { return }
    // Both bounds are extended by a millisecond, because all times are rounded down to whole milliseconds.
    let found = (time.rawValue - answered.milliseconds - 1)...(time.rawValue - asked.milliseconds + 1)
    // If the bounds do not overlap, one of the clocks was set or has drifted: the newer sample is used.
    origin = origin.flatMap { $0.overlaps(found) ? $0.clamped(to: found) : nil } ?? found
  }

  /// The server's time, as estimated by this device.
  package func now(uptime: Duration, wall: Timestamp) -> Timestamp {
    guard let origin else { return wall + stored }
    return Timestamp(rawValue: origin.lowerBound + (origin.upperBound - origin.lowerBound) / 2) + uptime
  }
}

/// Estimates the server's time, so that the times of messages composed here are comparable with the server's
/// times.
package final class ServerClock: Sendable {
  private let skew = Mutex(ClockSkew())
  private let runtime: Runtime

  package init(_ runtime: Runtime) { self.runtime = runtime }

  /// The server's time; the device's time if the server has never reported its time.
  package var now: Timestamp { skew.withLock { $0.now(uptime: runtime.uptime(), wall: runtime.now()) } }

  /// How far the device's wall clock is behind the server's clock.
  package var offset: Duration { .milliseconds(now.rawValue) - .milliseconds(runtime.now().rawValue) }

  /// Sets the offset that was measured in an earlier run; this offset is used until the first answer with a
  /// time.
  package func begin(at offset: Duration) { skew.withLock { $0.stored = offset } }

  /// Adds the server's time from an answer that has just arrived; does nothing if the answer has no time.
  ///
  /// - Parameter asked: the uptime at which the request was sent.
  package func addSample(_ time: Timestamp?, asked: Duration) {
    guard let time else { return }
    skew.withLock { $0.addSample(time, between: asked, and: runtime.uptime()) }
  }
}
