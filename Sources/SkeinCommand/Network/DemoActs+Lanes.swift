import Foundation

extension DemoActs {
  /// Alice sends a video on a slow network and, during the upload, a text. The server's order shows whether
  /// the text passed the video.
  func writeDuringUpload(_ proxy: DemoProxy, lanes: String) async throws -> [String] {
    try await (person("alice")).quit()
    lost("alice")
    let alice = try await person("alice", through: proxy.address, words: ["--lanes", lanes])
    let bob = try await person("bob")
    try await alice.open("bob")
    await stage.breaks("proxy", try await proxy.tell("delay 2"))

    let film = await world.file("film-\(lanes).mp4")
    try DemoMedia.film(bytes: 20 << 20).write(to: film)
    let video = try await send(film, from: alice)
    try await alice.wait(30, for: "the upload to be under way") { $0.standings[video]?.percent ?? 0 > 0 }
    await show(video, of: alice)
    let text = try await store("Can you see it?", from: alice)
    if lanes == "strict" {
      try await alice.wait(10, for: "the text to wait for the video") {
        $0.standings[text]?.blocker == "video"
      }
    } else {
      try await alice.wait(30, for: "the text to be acknowledged") { $0.status(of: text) == .sent }
    }
    await show(text, of: alice)
    await show(video, of: alice)
    let isFirst = await alice.screen.status(of: video) != .sent
    try await alice.wait(60, for: "all messages of alice to be acknowledged") { $0.waiting == 0 }

    let order = lanes == "strict" ? [video, text] : [text, video]
    let history = try await world.witness.history(with: "alice")
    try await bob.wait(20, for: "bob to have both") { screen in
      order.allSatisfy { screen.status(of: $0) == .sent }
    }
    for message in await bob.screen.messages where order.contains(message.messageID) {
      await show(message, on: bob)
    }
    guard isFirst else { throw DemoFailure("the video arrived before the text could pass it") }
    guard DemoComparison(history: history).hasInOrder(order) else {
      throw DemoFailure("the server has the two in another order, or not exactly once")
    }
    let positions = order.map { id in history.first { $0.id == id }?.position ?? 0 }
    return [
      lanes == "strict"
        ? "on the server the video has position \(positions[0]), the text position \(positions[1])"
        : "on the server the text has position \(positions[0]), the video position \(positions[1])"
    ]
  }

  /// The network fails during Alice's upload of a photo. Then she sends the same photo again.
  func cutUpload(_ proxy: DemoProxy) async throws -> [String] {
    let (alice, bob) = (try await person("alice"), try await person("bob"))
    let photo = await world.file("photo.png")
    let bytes = DemoMedia.photo(bytes: 10 << 20)
    try bytes.write(to: photo)
    await stage.breaks("proxy", try await proxy.tell("delay 8"))
    let start = try await proxy.carried()
    let first = try await send(photo, from: alice)
    try await alice.wait(60, for: "60 % of the photo") { $0.standings[first]?.percent ?? 0 >= 60 }
    let percent = await alice.screen.standings[first]?.percent ?? 0
    await show(first, of: alice)
    await stage.breaks("proxy", try await proxy.tell("down"))
    try await alice.wait(30, for: "alice to notice") {
      $0.standings[first]?.state == .waitingForConnection
    }
    await show(first, of: alice)
    await stage.breaks("proxy", try await proxy.tell("up"))
    try await alice.wait(60, for: "the photo to be acknowledged") { $0.status(of: first) == .sent }
    await show(first, of: alice)
    let once = try await proxy.carried() - start
    let second = try await send(photo, from: alice)
    try await alice.wait(30, for: "the photo to be acknowledged again") { $0.status(of: second) == .sent }
    await show(second, of: alice)
    let again = try await proxy.carried() - start - once
    try await bob.wait(20, for: "bob to have both") { $0.status(of: second) == .sent }

    let (size, limit) = (bytes.count, bytes.count * 5 / 4)
    guard (size...limit).contains(once), again < size / 50 else {
      throw DemoFailure("\(once) and \(again) bytes were uploaded for a photo of \(size)")
    }
    return [
      "cut at \(percent) % of \(DemoMedia.megabytes(size)): "
        + "\(DemoMedia.megabytes(once)) were uploaded for the first message, \(again) bytes for the second"
    ]
  }

  /// Sends a file.
  private func send(_ file: URL, from client: DemoClient) async throws -> String {
    try await store("/send \"\(file.path)\"", from: client)
  }

  /// Types a line that sends a message.
  ///
  /// - Returns: The message's id, once it is on disk and in the list.
  private func store(_ line: String, from client: DemoClient) async throws -> String {
    let count = await client.screen.stored.count
    await client.type(line)
    try await client.wait(10, for: "\(client.name)'s message to be on disk") { screen in
      screen.stored.count > count && screen.status(of: screen.stored.last ?? "") != nil
    }
    return await client.screen.stored.last ?? ""
  }

  /// Shows an own message with its state.
  private func show(_ id: String, of client: DemoClient) async {
    let screen = await client.screen
    guard let message = screen.messages.first(where: { $0.messageID == id }) else { return }
    if message.status == .sent {
      await show(message, on: client)
    } else {
      await stage.waits(on: client.name, message.text, screen.standings[id]?.note ?? "")
    }
  }
}
