import Skein

extension Story {
  /// Applies a random fault to a random device.
  func fault() throws {
    let device = devices[generator.below(devices.count)]
    let fault = generator.choose(SimulatedFault.self)
    let activity = fault == .crashWhileOpening ? .opening : device.activity
    world.note("\(device.name): \(fault.rawValue) while \(activity.rawValue)")
    log.count(fault, during: activity)
    let link = device.link
    switch fault {
    case .disconnected:
      link.setCut(true)
      server.disconnect(device.name)
      later { link.setCut(false) }
    case .halfOpen:
      link.setIgnoresPushes(true)
      later { link.setIgnoresPushes(false) }
    case .tokenExpired:
      link.expireToken()
      server.disconnect(device.name)
    case .unauthorized:
      link.setUnauthorized(true)
      server.disconnect(device.name)
      later {
        link.setUnauthorized(false)
        // The client stays signed out until it is started again, and it can only be started after a stop. The
        // story starts it later.
        device.stop()
      }
    case .diskFull:
      device.setDiskFull(true)
      later { device.setDiskFull(false) }
    case .unreadable:
      device.setUnreadable(true)
      later { device.setUnreadable(false) }
    case .clockJump:
      let jumps: [Duration] = [
        .seconds(3600), .seconds(-3600), .seconds(86400 * 365 * 10), .seconds(-86400 * 365 * 10),
      ]
      device.jumpClock(by: jumps[generator.below(jumps.count)])
    case .crashAtStatement: crashAtStatement(device)
    case .powerCut:
      device.process?.losePower()
      crashAtStatement(device)
    case .crashWhileOpening:
      device.kill()
      try? bury(device)
      device.open(dyingAfter: generator.below(80))
    case .crash: device.kill()
    case .requestLost, .responseLost, .overtaken, .delayed, .duplicated, .busy, .refused, .oddAnswer,
      .uploadCut,
      .pokeLost, .pokeLate, .pokeDoubled, .pushTorn, .setBack:
      // Never chosen, since their weight is 0. Each `Link` draws the faults of its requests and pushes from
      // its `Weather`; the story itself resets the server.
      break
    }
    // A device may be away so long that the server forgets ids.
    if fault == .crash || fault == .powerCut || fault == .disconnected, generator.happens(perMille: 300) {
      try pass(.seconds(1200))
    }
  }

  /// Kills a device's process at one of its next statements, or while the process stores that a message was
  /// sent.
  private func crashAtStatement(_ device: Device) {
    guard generator.happens(perMille: 500) else {
      device.process?.kill(afterStatements: generator.below(60))
      return
    }
    let (process, statements) = (device.process, generator.below(30))
    device.link.afterNextReceipt { process?.kill(afterStatements: statements) }
  }

  private func later(_ repair: @escaping () -> Void) {
    repairs.append((step + 2 + generator.below(40), repair))
  }
}
