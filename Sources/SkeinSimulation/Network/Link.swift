#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinModel
import Synchronization

/// One device's connection to the server, with its faults.
///
/// The link outlives the processes of the device.
final class Link: Sendable {
  private struct State {
    var generator: SplitMix
    var weather = Weather.calm
    var isCut = false
    var ignoresPushes = false
    var isUnauthorized = false
    var isExpired = false
    var underWay: [SimulatedActivity: Int] = [:]
    var late = 0
    /// Called once, when the device receives the response to its next post.
    var afterReceipt: (@Sendable () -> Void)?
  }
  let device: String
  let hasPush: Bool
  private let world: World
  let log: FaultLog
  /// Runs the late requests, whose answers nobody waits for.
  private let network: Runtime
  private let state: Mutex<State>

  /// - Parameter hasPush: Whether pushes and typing events from the server ever reach the device.
  init(device: String, seed: UInt64, hasPush: Bool, world: World, log: FaultLog) {
    self.device = device
    self.hasPush = hasPush
    self.world = world
    self.log = log
    network = SimulatedProcess(world).runtime(in: URL(filePath: "/"), now: { Timestamp(milliseconds: 0) })
    state = Mutex(State(generator: SplitMix(seed: seed), ignoresPushes: !hasPush))
  }

  /// Adds an event of the device to the trace.
  func note(_ event: String) { world.note("\(device) \(event)") }

  var isCut: Bool { state.withLock { $0.isCut } }
  func setWeather(_ weather: Weather) { state.withLock { $0.weather = weather } }
  func setCut(_ isCut: Bool) { state.withLock { $0.isCut = isCut } }
  var ignoresPushes: Bool { state.withLock { $0.ignoresPushes } }
  func setIgnoresPushes(_ ignoresPushes: Bool) {
    state.withLock { $0.ignoresPushes = ignoresPushes || !hasPush }
  }
  func setUnauthorized(_ isUnauthorized: Bool) { state.withLock { $0.isUnauthorized = isUnauthorized } }

  /// Invalidates the device's token until the token is renewed.
  func expireToken() { state.withLock { $0.isExpired = true } }

  /// Renews the device's token if the server accepts its session.
  func renewSession(in process: SimulatedProcess) async throws {
    try await call(.connecting, in: process, repeats: true, needsToken: false) { [self] in
      state.withLock { $0.isExpired = false }
    }
  }

  /// Registers an event that happens once, when the device receives the response to its next post. The ACK of
  /// a message sent over the push channel does not trigger the event.
  func afterNextReceipt(_ event: @escaping @Sendable () -> Void) {
    state.withLock { $0.afterReceipt = event }
  }

  /// The current activity. If there are several, the rarest activity.
  var activity: SimulatedActivity {
    state.withLock { state in
      SimulatedActivity.underWay.first { (state.underWay[$0] ?? 0) > 0 } ?? (state.isCut ? .offline : .idle)
    }
  }

  /// Whether a late request, whose answer nobody waits for, is still in flight.
  var hasLateRequests: Bool { state.withLock { $0.late > 0 } }

  /// Throws if the network is down, if the session has ended, or if a needed token has expired.
  func check(needsToken: Bool = true) throws {
    let (isCut, isUnauthorized, isExpired) = state.withLock { ($0.isCut, $0.isUnauthorized, $0.isExpired) }
    if isCut { throw BackendError(.unreachable, "The network is down.") }
    if isUnauthorized { throw BackendError(.unauthorized, "The session has ended.") }
    if isExpired, needsToken { throw BackendError(.unauthorized, "The token has expired.") }
  }

  /// Performs one request and its response, with the faults that strike them.
  ///
  /// - Parameters:
  ///   - repeats: Whether the request may reach the server more than once.
  ///   - isRefusable: Whether the server may refuse the request; called only if a refusal was drawn.
  ///   - body: The work of the server.
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
      // The device may or may not know that the request did not leave the device.
      throw BackendError(.transient, "No answer came.", outcomeIsUnknown: drawn(perMille: 700))
    case .uploadCut: throw BackendError(.transient, "The upload ended halfway.", outcomeIsUnknown: true)
    case .overtaken:
      late(.seconds(1), .seconds(50), body)
      try await pause(.milliseconds(500), .seconds(30), process)
      throw BackendError(.transient, "No answer came in time.", outcomeIsUnknown: true)
    case .busy:
      let after: Duration? = drawn(perMille: 500) ? .seconds(1 + draw(below: 40)) : nil
      throw BackendError(.rateLimited, "The server is busy.", retryAfter: after)
    case .refused where isRefusable(): throw BackendError(.permanent, "The server rejects this.")
    case .delayed: try await pause(.seconds(1), .seconds(25), process)
    default: break
    }
    let answer = try body()
    if fault == .duplicated { late(.milliseconds(1), .seconds(50), body) }
    try await pause(.milliseconds(1), .milliseconds(40), process)
    if fault == .responseLost || isCut {
      throw BackendError(.transient, "The response was lost.", outcomeIsUnknown: true)
    }
    if activity == .posting { receiptArrived() }
    return answer
  }

  private func receiptArrived() {
    let event = state.withLock { state in
      defer { state.afterReceipt = nil }
      return state.afterReceipt
    }
    event?()
  }

  func begin(_ activity: SimulatedActivity) { state.withLock { $0.underWay[activity, default: 0] += 1 } }
  func end(_ activity: SimulatedActivity) { state.withLock { $0.underWay[activity, default: 0] -= 1 } }

  /// Suspends for a random time.
  func pause(_ shortest: Duration, _ longest: Duration, _ process: SimulatedProcess) async throws {
    let wait = state.withLock { $0.generator.tail(from: shortest, to: longest) }
    try await world.sleep(until: world.now + wait, in: process)
  }

  /// Delivers a request to the server later, even if the sending process has ended by then.
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
      among: ofRequests.filter { $0.canOccur(during: activity) && ($0 != .duplicated || repeats) })
  }

  /// Draws the given faults in order, each with its share in the weather, and returns the first that strikes.
  /// Nil if none strikes.
  func drawFault(among possible: [SimulatedFault]) -> SimulatedFault? {
    state.withLock { state in possible.first { state.generator.happens(perMille: state.weather[$0]) } }
  }

  /// Draws the form of an answer; nil if the answer has the form of the contract.
  ///
  /// - Parameter isOrdered: Whether the messages show their order. If not, the client can't know it otherwise.
  func oddAnswer(during activity: SimulatedActivity, isOrdered: Bool) -> OddAnswer? {
    guard let fault = drawFault(among: [.oddAnswer]) else { return nil }
    log.count(fault, during: activity)
    let all = OddAnswer.allCases.filter { isOrdered || $0 != .reversed }
    return all[draw(below: all.count)]
  }

  func drawn(perMille share: Int) -> Bool {
    state.withLock { $0.generator.happens(perMille: share) }
  }

  private func draw(below bound: Int) -> Int { state.withLock { $0.generator.below(bound) } }
}
