#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Skein

/// One fault at one statement of a step. Then the world comes to rest, and the promises are checked.
///
/// The victim is a device of alice. Alice has another device, and chats with bob.
final class KillScene {
  let story: Story
  private let step: KilledStep
  private let fault: SimulatedFault
  /// The number of the step's statements before the fault.
  private let statement: Int
  var backup: MemoryServerBackup?

  init(_ step: KilledStep, _ fault: SimulatedFault, at statement: Int, world: World, in folder: URL) {
    story = Story(scene: 1, world, in: folder)
    (self.step, self.fault, self.statement) = (step, fault, statement)
  }

  var victim: Device { story.devices[0] }
  var other: Device { story.devices[1] }
  var bob: Device { story.devices[2] }

  /// Plays the scene. Returns false if the step has ended before the statement.
  func play() throws -> Bool {
    try prepare(step)
    if step == .firstOpening || step == .opening { victim.open() }
    plan()
    try begin(step)
    let isOver = try wait(upTo: .seconds(900)) { victim.process?.hasPlannedFault != true || isDone }
    guard isOver else { throw SceneFailure("\(step.rawValue) does not end.") }
    let isReached = victim.process?.hasPlannedFault != true
    if isReached, fault == .diskFull { _ = try wait(upTo: .seconds(120)) { isDone } }
    victim.process?.kill(afterStatements: nil)
    victim.process?.fillDisk(afterStatements: nil)
    victim.setDiskFull(false)
    // The client of an erased account is closed.
    if step == .erasing, victim.process?.isDead == false { victim.close() }
    victim.link.setCut(false)
    if fault == .diskFull { _ = try wait(upTo: .seconds(900)) { isDone } }
    try story.finish()
    return isReached
  }

  private func plan() {
    if fault == .diskFull { return victim.fillDisk(afterStatements: statement) }
    if fault == .powerCut { victim.process?.losePower() }
    victim.process?.kill(afterStatements: statement)
  }

  /// Whether the step has ended. If the victim is offline, its calls have then returned. Otherwise, all
  /// devices are then at rest in the server's epoch.
  private var isDone: Bool {
    if victim.link.isCut { return !victim.isBusy && victim.client != nil }
    return story.devices.allSatisfy { $0.unrest == nil && $0.storedEpoch == story.server.epoch.rawValue }
  }

  // MARK: Time

  /// Lets the world run until a condition holds; returns false if it does not hold within `limit`.
  func wait(upTo limit: Duration, until isMet: () -> Bool) throws -> Bool {
    let end = story.world.now + limit
    while !isMet() {
      guard story.world.now < end else { return false }
      try story.pass(.milliseconds(20))
    }
    return true
  }

  /// Lets the world come to rest before the step.
  func settle(except away: Device? = nil) throws {
    let devices = story.devices.filter { $0 !== away && $0.process != nil }
    guard try wait(upTo: .seconds(3600), until: { devices.allSatisfy { $0.unrest == nil } }) else {
      throw SceneFailure("The world does not come to rest: \(devices.compactMap(\.unrest)).")
    }
  }

  func goOffline() {
    victim.link.setCut(true)
    story.server.disconnect(victim.name)
  }
}

/// Thrown if a scene can't be played.
struct SceneFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
