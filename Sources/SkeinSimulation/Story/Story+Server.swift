import Skein

/// What happens without any device of the world doing it.
extension Story {
  func happenOnServer(_ chat: ConversationID, on device: Device) {
    switch generator.below(10) {
    case 0..<2: leave(chat, on: device)
    case 2..<4: changeMembers()
    case 4..<7: flood()
    default: trim()
    }
  }

  /// Somebody writes so much at once that who was away gets the newest of it alone.
  private func flood() {
    let rooms = server.rooms()
    guard !rooms.isEmpty else { return }
    let ref = rooms[generator.below(rooms.count)]
    guard let members = server.info(ref, for: "alice")?.members, !members.isEmpty else { return }
    let sender = members[generator.below(members.count)]
    let texts = (0..<10 + generator.below(60)).map { _ in
      tokens += 1
      return "flood#\(tokens)"
    }
    world.note("\(sender) floods \(ref.rawValue) with \(texts.count) messages")
    try? server.post(texts, from: sender, in: ref)
  }

  /// The server hands out the newest messages of a conversation alone from now on, or none.
  private func trim() {
    let rooms = server.rooms()
    guard !rooms.isEmpty else { return }
    let ref = rooms[generator.below(rooms.count)]
    let count = generator.below(server.messages(in: ref).count - server.trimmed(ref) + 1)
    world.note("the server keeps \(count) messages of \(ref.rawValue)")
    server.trim(ref, keeping: count)
  }

  /// A group loses a member by somebody else's hand, or has one back.
  private func changeMembers() {
    let groups = server.rooms().filter { server.info($0, for: "alice")?.type == .group }
    guard !groups.isEmpty else { return }
    let ref = groups[generator.below(groups.count)]
    let user = devices[generator.below(devices.count)].user
    if server.info(ref, for: user)?.members?.contains(user) == true {
      world.note("\(user) is taken out of \(ref.rawValue)")
      ledger.closes(.group(ref), of: user)
      try? server.leave(ref, by: user)
    } else {
      world.note("\(user) is taken into \(ref.rawValue)")
      server.join(ref, by: user)
    }
  }

  /// Somebody puts the app away, or looks at it again.
  func changePhase(of device: Device) {
    world.note("\(device.name) goes to the \(device.isInBackground ? "foreground" : "background")")
    device.setInBackground(!device.isInBackground)
  }
}
