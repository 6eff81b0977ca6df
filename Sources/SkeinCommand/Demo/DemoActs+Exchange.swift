import Foundation

extension DemoActs {
  /// Alice and Bob send each other texts, places and pictures, and save the pictures.
  func exchangeEverything() async throws -> [String] {
    let alice = try await person("alice", registering: true)
    let bob = try await person("bob", registering: true)
    try await alice.open("bob")
    try await bob.open("alice")

    try await exchange(from: alice, to: bob, "Hi Bob! Shall we meet at the harbour? 🙂")
    try await exchange(from: bob, to: alice, "好的！Where exactly?")
    try await exchange(from: alice, to: bob, "/location 53.5436 9.9661 Landungsbrücken")
    let fromAlice = try await exchangePicture(from: alice, to: bob, side: 64, tint: 120)
    try await exchange(from: bob, to: alice, "/location 53.5413 9.9841 Elbphilharmonie")
    let fromBob = try await exchangePicture(from: bob, to: alice, side: 80, tint: 20)

    let history = DemoComparison(history: try await world.history(of: 6))
    for client in [alice, bob] {
      if let difference = history.difference(to: await client.screen) {
        throw DemoFailure("\(client.name): \(difference)")
      }
    }
    return [
      "\(history.history.count) of 6 on the server and on both screens",
      "2 of 2 saved pictures have the sender's SHA-256 (\(fromAlice.prefix(8))…, \(fromBob.prefix(8))…)",
    ]
  }

  /// Sends a picture, and compares the saved file with the picture.
  private func exchangePicture(
    from sender: DemoClient, to receiver: DemoClient, side: Int, tint: UInt8
  ) async throws -> String {
    let bytes = DemoPicture.png(side: side, tint: tint)
    let (original, copy) = await (
      world.file("picture-of-\(sender.name).png"), world.file("saved-by-\(receiver.name).png")
    )
    try Data(bytes).write(to: original)
    try await exchange(from: sender, to: receiver, "/image \"\(original.path)\"")
    await receiver.type("/save \"\(copy.path)\"")
    try await receiver.wait(10, for: "\(receiver.name) to save the picture") { $0.saved.contains(copy.path) }
    let hash = DemoPicture.sha256(bytes)
    let saved = DemoPicture.sha256([UInt8](try Data(contentsOf: copy)))
    guard saved == hash else {
      throw DemoFailure("\(receiver.name) saved a picture with SHA-256 \(saved), \(sender.name) sent \(hash)")
    }
    await stage.tells(of: receiver.name, "saved it: SHA-256 \(hash.prefix(16))… as sent")
    return hash
  }
}
