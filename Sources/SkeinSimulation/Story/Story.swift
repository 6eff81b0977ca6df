#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Skein

/// The story of one seed: users exchange messages while faults strike, then the faults end. Finally, every
/// device must have everything that the server has.
///
/// A thread outside the world plays the story: the thread alternates between performing an action and letting
/// the world run.
final class Story {
  let world: World
  let server: MemoryServer
  let ledger: Ledger
  let intentions = Intentions()
  /// The messages that were revised recently.
  var recent: [Intention.Target] = []
  let log = FaultLog()
  let folder: URL
  var generator: SplitMix
  var devices: [Device] = []
  var step = 0
  var tokens = 0
  /// How often each action was chosen and possible.
  var actions: [SimulatedAction: Int] = [:]
  /// The steps at which the server is backed up and restored; nil in most worlds.
  private let setback: (backup: Int, restoration: Int)?
  private var backup: MemoryServerBackup?
  /// Repairs and other planned actions, with the steps at which they are due.
  var repairs: [(after: Int, repair: () -> Void)] = []

  init(
    seed: UInt64, _ order: SimulatedOrder?, _ world: World, in folder: URL, keepsConnections: Bool
  ) {
    var generator = SplitMix(seed: seed ^ 0x5eed)
    self.world = world
    ledger = Ledger(seed: seed, world: world)
    self.folder = folder
    let kinds: [BackendCapabilities.Idempotency] = [
      .forever, .forever, .forever, .window(.seconds(120 + 30 + generator.below(900))), .none,
    ]
    let order = ServerOrder(order, seed: seed)
    let drawn = kinds[generator.below(kinds.count)]
    let idempotency = order == .archive ? .none : drawn
    // In half of the worlds, the server has a clock, which is wrong too. The devices then adopt the server's
    // time.
    let skew = Duration.seconds(generator.below(14_400) - 7200)
    var clock: (@Sendable () -> Timestamp)?
    if generator.happens(perMille: 500) { clock = { [world] in world.wallTime + skew } }
    server = MemoryServer(
      idempotency: idempotency, order: order, now: { [world] in world.now }, clock: clock)
    var backups = SplitMix(seed: seed ^ 0xbac0)
    let backup = 20 + backups.below(150)
    let isSetBack = backups.happens(perMille: 200)
    setback = isSetBack ? (backup, backup + 1 + backups.below(120)) : nil
    self.generator = generator
    makeDevices(seed, keepsConnections: keepsConnections)
  }

  /// A story on a calm network with devices of two users, for scenes that follow a plan.
  init(scene seed: UInt64, _ world: World, in folder: URL) {
    self.world = world
    ledger = Ledger(seed: seed, world: world)
    self.folder = folder
    server = MemoryServer(idempotency: .forever, now: { [world] in world.now })
    setback = nil
    generator = SplitMix(seed: seed)
    var options = ChatOptions()
    (options.pageSize, options.catchUpPageSize, options.windowSize) = (8, 5, 30)
    options.keepRemovedFor = .seconds(86400 * 365 * 100)
    for (name, user) in [("alice-1", "alice"), ("alice-2", "alice"), ("bob-1", "bob")] {
      let link = Link(device: name, seed: seed, hasPush: true, world: world, log: log)
      devices.append(
        Device(
          name, of: UserID(user), in: folder, link: link, world: world, server: server, ledger: ledger,
          options: options, transport: .mixed, hasSocket: false, history: .all))
    }
  }

  private func makeDevices(_ seed: UInt64, keepsConnections: Bool) {
    let people: [(String, UserID)] =
      [("alice-1", "alice"), ("alice-2", "alice"), ("bob-1", "bob")]
      + (generator.happens(perMille: 400) ? [("bob-2", "bob")] : [])
      + (generator.happens(perMille: 300) ? [("carol-1", "carol")] : [])
    let weather = Weather.drawn(from: &generator)
    let hasSocket = generator.happens(perMille: 400)
    let isStamping = generator.happens(perMille: 300)
    // Some servers store no settings of conversations, and some only a part.
    let settings = BackendCapabilities.Settings(
      rawValue: generator.happens(perMille: 700) ? 7 : generator.below(8))
    let policies: [LanePolicy] = [.mediaLane, .mediaLane, .strict, .free]
    for (index, (name, user)) in people.enumerated() {
      var options = ChatOptions()
      // Small pages produce gaps.
      options.pageSize = 3 + generator.below(30)
      options.catchUpPageSize = 2 + generator.below(20)
      options.windowSize = 2 * options.pageSize + generator.below(60)
      let drawn = BackendCapabilities.HistoryAnchors(rawValue: generator.below(8))
      let history = server.order == .archive ? drawn.subtracting(.message) : drawn
      // Chats with removed contacts are kept for 100 years, so that clock jumps of ten years do not remove
      // these chats.
      options.keepRemovedFor = .seconds(86400 * 365 * 100)
      let transports: [Transport] = [.mixed, .mixed, .mixed, .pushOnly, .pollOnly]
      let transport = transports[generator.below(transports.count)]
      if transport == .pushOnly { options.pollInterval = .seconds(3600) }
      options.lanePolicy = policies[generator.below(policies.count)]
      let link = Link(
        device: name, seed: seed &+ UInt64(index) &* 7919, hasPush: transport != .pollOnly, world: world,
        log: log)
      link.setWeather(weather)
      devices.append(
        Device(
          name, of: user, in: folder, link: link, world: world, server: server, ledger: ledger,
          options: options, transport: transport, hasSocket: hasSocket, isStamping: isStamping,
          keepsConnections: keepsConnections, history: history, stored: settings))
    }
  }

  /// Plays the story to its end.
  func tell() throws {
    world.note(
      "\(devices.map { "\($0.name) \($0.transport)" }), the server recognizes ids: \(server.idempotency), order: \(server.order)"
    )
    for device in devices { device.open() }
    try agitate()
    try finish()
  }

  /// Ends all faults, lets the world come to rest, and checks the promises.
  func finish() throws {
    heal()
    if try comeToRest() {
      checkUnread()
      try readEverything()
      // Loading may find messages that were read before the server was restored. The read marks are then
      // sent.
      _ = try comeToRest()
    }
    if ledger.violations.isEmpty { checkEnd() }
    try end()
  }

  private func agitate() throws {
    let steps = 300 + generator.below(50)
    let faults = 10 + generator.below(25)
    var first = true
    while step < steps {
      step += 1
      ledger.setStep(step)
      for repair in repairs.filter({ $0.after == step }) { repair.repair() }
      repairs.removeAll { $0.after <= step }
      resetServer()
      if first || generator.below(steps) < faults { try fault() } else { act() }
      first = false
      try pass(generator.tail(from: .milliseconds(30), to: .seconds(300)))
    }
  }

  private func resetServer() {
    if step == setback?.backup { backup = server.backup() }
    if step == setback?.restoration, let backup { restore(backup) }
  }

  /// Restores the server from a backup; the checks no longer expect what the server loses.
  func restore(_ backup: MemoryServerBackup) {
    world.note("the server is reset to a backup")
    for device in devices where device.activity != .opening { log.count(.setBack, during: device.activity) }
    let before = server.rooms().flatMap { server.messages(in: $0) }
    let cleared = server.rooms().flatMap { ref in devices.map { ($0, ref, $0.cleared(ref)) } }
    let groups = memberships()
    server.restore(backup)
    // A device closes a group that the server has lost, until somebody opens the group again.
    for lost in groups.subtracting(memberships()) {
      ledger.closes(.group(lost.group), of: lost.user)
    }
    for (device, ref, floor) in cleared {
      device.clears.setBack(ref, to: Int64(server.messages(in: ref).count), clearedUpTo: floor)
    }
    let kept = Set(server.rooms().flatMap { server.messages(in: $0) }.compactMap(\.messageID))
    ledger.serverLoses(before.compactMap(\.messageID).filter { !kept.contains($0) })
    noteTrimmed()
  }

  /// The groups of each user on the server.
  private func memberships() -> Set<Membership> {
    let users = Set(devices.map(\.user))
    return Set(
      server.rooms().flatMap { ref in
        users.filter { user in
          guard let info = server.info(ref, for: user), info.type == .group else { return false }
          return info.members?.contains(user) == true
        }.map { Membership(group: ref, user: $0) }
      })
  }

  private struct Membership: Hashable {
    let group: ConversationRef
    let user: UserID
  }

  /// After a restore, records trimmed messages as lost, since a device can't distinguish trimmed messages
  /// from lost messages.
  func noteTrimmed() {
    guard server.wasRestored else { return }
    for ref in server.rooms() {
      ledger.serverLoses(server.messages(in: ref).prefix(server.trimmed(ref)).compactMap(\.messageID))
    }
  }

  private func heal() {
    step += 1
    ledger.setStep(step)
    world.note("--- no more faults from here on")
    for repair in repairs { repair.repair() }
    repairs = []
    for device in devices {
      device.link.setWeather(.calm)
      // Without pushes, polling must suffice; without polling, pushes must suffice.
      let isPushOnly = device.transport == .pushOnly
      device.link.setIgnoresPushes(generator.happens(perMille: 200) && !isPushOnly)
      device.setInBackground(isPushOnly)
      device.process?.kill(afterStatements: nil)
      if device.client != nil {
        // A client that was signed out must be started again, so every client is stopped first.
        device.stop()
      }
    }
  }

  /// Waits until all work is done. Reports a violation and returns false if work is left after an hour.
  private func comeToRest() throws -> Bool {
    for round in 0..<240 {
      try pass(.seconds(15))
      for device in devices where device.process == nil { device.open() }
      for device in devices where device.client != nil && !device.isStarted && !device.isBusy {
        device.start()
      }
      if devices.allSatisfy({ $0.unrest == nil }) { return true }
      for device in devices where !device.isBusy { decide(on: device) }
      // A former member's messages wait until the user answers.
      if round > 20 { for device in devices where device.unrest != nil { answerInvitation(on: device) } }
    }
    for device in devices {
      if let unrest = device.unrest { ledger.report("Z1", "\(device.name) does not come to rest: \(unrest)") }
    }
    return false
  }

  /// Lets the world run for a duration, and removes the processes that die meanwhile.
  func pass(_ duration: Duration) throws {
    let end = world.now + duration
    while true {
      let isInTime = world.run(for: end - world.now, unless: { world.noticesDeath() })
      for device in devices where device.isDead { try bury(device) }
      guard isInTime else { return ledger.report("Z4", "the world spins without time passing") }
      if world.now >= end { return }
    }
  }

  /// Removes a device's dead process. If a power cut has lost writes, the account's earlier read marks are no
  /// longer expected, since they may be lost.
  func bury(_ device: Device) throws {
    if try device.bury() { intentions.lostPower(of: device.user) }
  }

  /// Closes every client and records the final contents.
  private func end() throws {
    for device in devices { device.close() }
    try pass(.seconds(60))
    for device in devices {
      if device.process != nil { ledger.report("A4", "\(device.name) does not end when it is closed") }
    }
    for (index, ref) in server.rooms().enumerated() {
      for message in server.messages(in: ref) {
        world.note(
          "server \(index) \(message.position?.rawValue ?? 0) \(Token.of(message.kind, message.payload) ?? "?")"
        )
      }
    }
    for device in devices {
      for line in device.contents { world.note("\(device.name) has \(line)") }
      device.process?.kill()
      try bury(device)
    }
  }
}
