import Skein

/// Replies and their quotes.
extension Story {
  func reply(in chat: ConversationID, on device: Device) {
    let shown = device.chat(chat)?.messages.compactMap(\.message) ?? []
    let targets = shown.filter { !$0.isRecalled && [.sent, .queued, .sending].contains($0.status) }
    guard !targets.isEmpty else { return }
    let target = targets[generator.below(targets.count)]
    let token = makeToken(on: device)
    begin(.reply, "\(device.name) replies to \(target.id.rawValue)")
    give([(token, TextContent(token))], to: chat, replyingTo: target, on: device)
  }

  /// Checks that a reply quotes the same message here and on the server, and shows the current state of that
  /// message.
  func checkQuote(
    of own: ChatMessage, _ theirs: IncomingMessage, from all: [IncomingMessage], in ref: ConversationRef,
    hidden: Set<String>, on device: Device
  ) {
    let name = theirs.serverID?.rawValue ?? ""
    let (here, there) = (own.quote?.message, theirs.quote?.message)
    ledger.expect(
      here?.sender == there?.sender && here?.messageID == there?.messageID, "R5",
      "\(device.name) and the server differ in the quote of \(name)")
    guard let there, let quote = own.quote else { return }
    let targets = all.filter { $0.sender == there.sender && $0.messageID == there.messageID }
    // If the server stored the message twice, the device shows one copy, and either copy may have been
    // revised.
    guard targets.count == 1, let target = targets.first else { return }
    if hidden.contains(target.serverID?.rawValue ?? "") {
      return ledger.expect(
        quote.content == nil, "R6", "\(device.name) quotes in \(name) a deleted message of \(ref.rawValue)")
    }
    // Revisions of messages that were cleared here or dropped by the server are no longer received.
    let position = target.position?.rawValue ?? 0
    guard server.order.isAlways(position, after: device.cleared(ref)), position > Int64(server.trimmed(ref))
    else { return }
    ledger.expect(
      quote.id != nil && quote.content == KindRegistry.standard.content(of: .init(target)), "R5",
      "\(device.name) shows in \(name) \(quote.content?.displayedText ?? "nothing"), not the content of its original"
    )
  }
}
