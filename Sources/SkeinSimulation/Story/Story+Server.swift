import Skein

/// Changes on the server that no device requests, and moves of an app to the background or the foreground.
extension Story {
  /// Posts many messages at once. A sync usually returns only the newest of these messages.
  func flood() {
    let rooms = server.rooms()
    guard !rooms.isEmpty else { return }
    let ref = rooms[generator.below(rooms.count)]
    guard let members = server.info(ref, for: "alice")?.members, !members.isEmpty else { return }
    let sender = members[generator.below(members.count)]
    let texts = (0..<10 + generator.below(60)).map { _ in
      tokens += 1
      return "flood#\(tokens)"
    }
    begin(.flood, "\(sender) floods \(ref.rawValue) with \(texts.count) messages")
    try? server.post(texts, from: sender, in: ref)
  }

  /// Drops the old messages of a conversation on the server, or all of its messages, and all interrupted uploads.
  func trim() {
    let rooms = server.rooms()
    guard !rooms.isEmpty else { return }
    let ref = rooms[generator.below(rooms.count)]
    let count = generator.below(server.messages(in: ref).count - server.trimmed(ref) + 1)
    begin(.trim, "the server keeps \(count) messages of \(ref.rawValue)")
    server.trim(ref, keeping: count)
    server.forgetPartialUploads()
    noteTrimmed()
  }

  /// Gives a conversation another ref.
  func replace() {
    let rooms = server.rooms()
    guard !rooms.isEmpty else { return }
    let ref = rooms[generator.below(rooms.count)]
    guard let new = server.replace(ref) else { return }
    begin(.replace, "\(new.rawValue) replaces \(ref.rawValue)")
  }

  /// Removes a user from a group, or adds the user if the user is not a member.
  func changeMembers() {
    let groups = server.rooms().filter { server.info($0, for: "alice")?.type == .group }
    guard !groups.isEmpty else { return }
    let ref = groups[generator.below(groups.count)]
    let user = devices[generator.below(devices.count)].user
    if server.info(ref, for: user)?.members?.contains(user) == true {
      begin(.changeMembers, "\(user) is removed from \(ref.rawValue)")
      ledger.closes(.group(ref), of: user)
      try? server.leave(ref, by: user)
    } else {
      begin(.changeMembers, "\(user) is added to \(ref.rawValue)")
      server.join(ref, by: user)
    }
  }

  /// Moves the app to the background or to the foreground.
  func changePhase(of device: Device) {
    begin(.changePhase, "\(device.name) goes to the \(device.isInBackground ? "foreground" : "background")")
    device.setInBackground(!device.isInBackground)
  }
}
