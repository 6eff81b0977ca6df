import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A progress line on the terminal; writes nothing if the standard error is not a terminal.
final class SimulationProgress: Sendable {
  private struct State {
    var done = 0
    var shown = ContinuousClock.now
  }
  private let count: Int?
  private let unit: String
  private let isWatched = isatty(STDERR_FILENO) == 1
  private let state = Mutex(State())

  /// - Parameters:
  ///   - count: The number of seeds; nil if the number depends on the time.
  ///   - unit: The word for what is counted.
  init(count: Int?, of unit: String = "seeds") {
    self.count = count
    self.unit = unit
  }

  /// Counts a finished seed, or another unit. The line changes at most twice a second.
  func advance(violations: Int) {
    let line = state.withLock { state -> String? in
      state.done += 1
      guard isWatched, state.shown.duration(to: .now) > .milliseconds(500) else { return nil }
      state.shown = .now
      let done = count.map { "\(state.done) of \($0)" } ?? "\(state.done)"
      return "\r\(done) \(unit), \(violations) violations "
    }
    if let line { StandardOutput.writeError(line) }
  }

  /// Clears the line.
  func end() {
    if isWatched { StandardOutput.writeError("\r\u{1b}[K") }
  }
}
