#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinModel
import Synchronization

/// One device's way to the server, and what goes wrong on it.
///
/// It outlives the device's processes, as a network does.
final class Link: Sendable {
  private struct State {
    var generator: SplitMix
    var weather = Weather.calm
    var isCut = false
    var isDeaf = false
    var isUnauthorized = false
    var isExpired = false
    var underWay: [SimulatedActivity: Int] = [:]
    var late = 0
    /// What happens as soon as the server has taken another message.
    var whenTaken: (@Sendable () -> Void)?
  }
  let device: String
  let hasPush: Bool
  private let world: World
  let log: FaultLog
  /// Where requests run on that nobody waits for any more.
  private let network: Runtime
  private let state: Mutex<State>

  /// - Parameter hasPush: whether the server ever pushes anything to the device.
  init(device: String, seed: UInt64, hasPush: Bool, world: World, log: FaultLog) {
    self.device = device
    self.hasPush = hasPush
    self.world = world
    self.log = log
    network = SimulatedProcess(world).runtime(in: URL(filePath: "/"), now: { Timestamp(milliseconds: 0) })
    state = Mutex(State(generator: SplitMix(seed: seed), isDeaf: !hasPush))
  }

  var isCut: Bool { state.withLock { $0.isCut } }
  func setWeather(_ weather: Weather) { state.withLock { $0.weather = weather } }
  func setCut(_ isCut: Bool) { state.withLock { $0.isCut = isCut } }
  var isDeaf: Bool { state.withLock { $0.isDeaf } }
  func setDeaf(_ isDeaf: Bool) { state.withLock { $0.isDeaf = isDeaf || !hasPush } }
  func setUnauthorized(_ isUnauthorized: Bool) { state.withLock { $0.isUnauthorized = isUnauthorized } }

  /// The device's token is good for nothing until it gets another one.
  func expireToken() { state.withLock { $0.isExpired = true } }

  /// Gets the device another token, where the server accepts its session.
  func renewSession(in process: SimulatedProcess) async throws {
    try await call(.connecting, in: process, repeats: true, needsToken: false) { [self] in
      state.withLock { $0.isExpired = false }
    }
  }

  /// Has something happen to the device as soon as it hears that the server has its next message.
  func whenMessageIsTaken(_ event: @escaping @Sendable () -> Void) { state.withLock { $0.whenTaken = event } }

  /// What is under way now, the rarest first.
  var activity: SimulatedActivity {
    state.withLock { state in
      SimulatedActivity.underWay.first { (state.underWay[$0] ?? 0) > 0 } ?? (state.isCut ? .offline : .idle)
    }
  }

  /// Whether a request is still on its way whose sender has given it up.
  var hasLateRequests: Bool { state.withLock { $0.late > 0 } }

  /// Throws where the server can't be reached or does not accept the session.
  func check(needsToken: Bool = true) throws {
    let (isCut, isUnauthorized, isExpired) = state.withLock { ($0.isCut, $0.isUnauthorized, $0.isExpired) }
    if isCut { throw BackendError(.unreachable, "The network is down.") }
    if isUnauthorized { throw BackendError(.unauthorized, "The session is over.") }
    if isExpired, needsToken { throw BackendError(.unauthorized, "The token has expired.") }
  }

  /// One request and its response, with whatever befalls them.
  ///
  /// - Parameters:
  ///   - repeats: whether the request may reach the server more than once.
  ///   - isRefusable: whether the server may refuse it, asked when it arrives.
  ///   - body: what the server does.
  func call<Answer: Sendable>(
    _ activity: SimulatedActivity, in process: SimulatedProcess, repeats: Bool, needsToken: Bool = true,
    isRefusable: @Sendable () -> Bool = { false }, _ body: @escaping @Sendable () throws -> Answer
  ) async throws -> Answer {
    try process.checkAlive()
    begin(activity)
    defer { end(activity) }
    try await pause(.milliseconds(1), .milliseconds(40), process)
    try check(needsToken: needsToken)
    let fault = drawFault(for: activity, repeats: repeats)
    if let fault { log.count(fault, during: activity) }
    switch fault {
    case .requestLost:
      try await pause(.milliseconds(500), .seconds(30), process)
      // The device knows that nothing left it, or it does not.
      throw BackendError(.transient, "No answer came.", outcomeIsUnknown: drawn(perMille: 700))
    case .uploadCut: throw BackendError(.transient, "The upload ended halfway.", outcomeIsUnknown: true)
    case .overtaken:
      late(.seconds(1), .seconds(50), body)
      try await pause(.milliseconds(500), .seconds(30), process)
      throw BackendError(.transient, "No answer came in time.", outcomeIsUnknown: true)
    case .busy:
      let after: Duration? = drawn(perMille: 500) ? .seconds(1 + draw(below: 40)) : nil
      throw BackendError(.rateLimited, "The server is busy.", retryAfter: after)
    case .refused where isRefusable(): throw BackendError(.permanent, "The server does not take this.")
    case .delayed: try await pause(.seconds(1), .seconds(25), process)
    default: break
    }
    let answer = try body()
    if fault == .duplicated { late(.milliseconds(1), .seconds(50), body) }
    try await pause(.milliseconds(1), .milliseconds(40), process)
    if fault == .responseLost || isCut {
      throw BackendError(.transient, "The response was lost.", outcomeIsUnknown: true)
    }
    if activity == .posting { messageIsTaken() }
    return answer
  }

  private func messageIsTaken() {
    let event = state.withLock { state in
      defer { state.whenTaken = nil }
      return state.whenTaken
    }
    event?()
  }

  func begin(_ activity: SimulatedActivity) { state.withLock { $0.underWay[activity, default: 0] += 1 } }
  func end(_ activity: SimulatedActivity) { state.withLock { $0.underWay[activity, default: 0] -= 1 } }

  /// Suspends for a drawn while.
  func pause(_ shortest: Duration, _ longest: Duration, _ process: SimulatedProcess) async throws {
    let wait = state.withLock { $0.generator.tail(from: shortest, to: longest) }
    try await world.sleep(until: world.now + wait, in: process)
  }

  /// The server gets it at some later time, whatever has become of its sender.
  func late<Answer: Sendable>(
    _ shortest: Duration, _ longest: Duration, _ body: @escaping @Sendable () throws -> Answer
  ) {
    let wait = state.withLock { $0.generator.tail(from: shortest, to: longest) }
    state.withLock { $0.late += 1 }
    network.spawn { [self, network] in
      defer { state.withLock { $0.late -= 1 } }
      try await network.sleep(for: wait)
      _ = try body()
    }
  }

  func drawFault(for activity: SimulatedActivity, repeats: Bool) -> SimulatedFault? {
    let ofRequests: [SimulatedFault] = [
      .requestLost, .responseLost, .delayed, .busy, .overtaken, .refused, .uploadCut, .duplicated,
    ]
    return drawFault(
      among: ofRequests.filter { $0.canStrike(during: activity) && ($0 != .duplicated || repeats) })
  }

  /// The first of some faults that the weather has strike now.
  func drawFault(among possible: [SimulatedFault]) -> SimulatedFault? {
    state.withLock { state in possible.first { state.generator.happens(perMille: state.weather[$0]) } }
  }

  func drawn(perMille share: Int) -> Bool {
    state.withLock { $0.generator.happens(perMille: share) }
  }

  private func draw(below bound: Int) -> Int { state.withLock { $0.generator.below(bound) } }
}
