import Skein

/// Forwarded messages.
extension Story {
  /// Forwards one or two messages of a chat to other chats. Some of the messages may still be unsent.
  func forward(from chat: ConversationID, to chats: [ConversationID], on device: Device) {
    let shown = device.chat(chat)?.messages.compactMap(\.message) ?? []
    let sources = shown.filter { !$0.isRecalled && [.sent, .queued, .sending].contains($0.status) }
    let targets = chats.filter { $0 != chat }
    guard !sources.isEmpty, !targets.isEmpty else { return }
    let messages = (0...generator.below(2)).map { _ in sources[generator.below(sources.count)] }
    let chosen = messages.map(\.id)
    let target = targets[generator.below(targets.count)]
    begin(.forward, "\(device.name) forwards \(chosen.map(\.rawValue)) to \(target.rawValue)")
    let ledger = ledger
    ledger.forwarding(messages.compactMap(Token.of))
    device.perform("forward") { client in
      let copies = try await client.forward(chosen, to: [target])
      ledger.forwarded(copies.map(\.messageID), on: device.name)
    }
  }

  /// Checks the copies that a device has confirmed as stored: each is at most once on the server, and is there if the
  /// device shows it as sent.
  func checkCopies(of device: Device, _ statuses: [String: Int64]) {
    let posted = server.rooms().flatMap { server.posted(in: $0) }.compactMap(\.messageID)
    let counts = posted.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    for id in ledger.copies(on: device.name) where !ledger.wasLost(id) {
      let count = counts[id] ?? 0
      ledger.expect(
        count <= 1 || server.idempotency != .forever, "S3",
        "the copy \(id.rawValue) is \(count) times on the server")
      guard statuses[id.rawValue] == MessageStatus.sent.rawValue else { continue }
      ledger.expect(count > 0, "S4", "the copy \(id.rawValue) is shown as sent and is not on the server")
    }
  }
}
