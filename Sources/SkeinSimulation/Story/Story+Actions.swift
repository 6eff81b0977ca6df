#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Skein

extension Story {
  /// Somebody does something.
  func act() {
    let device = devices[generator.below(devices.count)]
    guard device.process != nil else { return device.open() }
    guard let client = device.client else { return }
    let chats = client.conversations.conversations.map(\.id)
    guard !chats.isEmpty, !generator.happens(perMille: 30) else { return openChat(on: device) }
    let chat = chats[generator.below(chats.count)]
    switch generator.below(100) {
    case 0..<45: send(1 + generator.below(4), to: chat, on: device)
    case 45..<55: sendImage(to: chat, on: device)
    case 55..<62: retry(in: chat, on: device)
    case 62..<66: cancel(in: chat, on: device)
    case 66..<73: markRead(chat, on: device)
    case 73..<81: loadMore(chat, on: device)
    case 81..<87: fillGap(chat, on: device)
    case 87..<91: if device.isStarted { device.stop() } else { device.start() }
    case 91..<94: device.close()
    default: device.start()
    }
  }

  private func openChat(on device: Device) {
    let others = ["alice", "bob", "carol"].map { UserID($0) }.filter { $0 != device.user }
    if generator.happens(perMille: 600) {
      let peer = others[generator.below(others.count)]
      world.note("\(device.name) opens a chat with \(peer)")
      device.perform("open chat") { _ = try await $0.open(.direct(peer)) }
    } else {
      world.note("\(device.name) opens a group")
      device.perform("open group") { _ = try await $0.openGroup(title: "group", members: others) }
    }
  }

  private func makeToken(on device: Device) -> String {
    tokens += 1
    return "\(device.name)#\(tokens)"
  }

  private func send(_ count: Int, to chat: ConversationID, on device: Device) {
    let tokens = (0..<count).map { _ in makeToken(on: device) }
    // A burst comes from one place after the other or from many at once.
    if generator.happens(perMille: 700) {
      give(tokens.map { ($0, TextContent($0)) }, to: chat, on: device)
    } else {
      for token in tokens { give([(token, TextContent(token))], to: chat, on: device) }
    }
  }

  private func sendImage(to chat: ConversationID, on device: Device) {
    let token = makeToken(on: device)
    let file = folder.appending(path: token)
    guard (try? Data(token.utf8).write(to: file)) != nil else { return }
    give([(token, ImageContent(file: file))], to: chat, on: device) {
      // The sender's own file may go once the message is stored.
      try? FileManager.default.removeItem(at: file)
    }
  }

  private func give<Content: MessageContent>(
    _ contents: [(token: String, content: Content)], to chat: ConversationID,
    on device: Device, then: @escaping @Sendable () -> Void = {}
  ) {
    guard let process = device.process, device.chat(chat) != nil else { return }
    let ledger = ledger, world = world
    world.note("\(device.name) sends \(contents.map(\.token)) to \(chat.rawValue)")
    device.perform("send") { client in
      for (token, content) in contents {
        ledger.asks(token, of: device.name, in: chat)
        do {
          let sent = try await client.send(content, to: chat)
          ledger.answered(token, .stored(sent.id, sent.messageID))
        } catch {
          if process.isDead { throw error }
          world.note("\(token) is declined")
          ledger.answered(token, .declined)
        }
      }
      then()
    }
  }

  private func retry(in chat: ConversationID, on device: Device) {
    guard let context = device.chat(chat) else { return }
    let failed = context.messages.compactMap(\.message).filter {
      $0.isOwn && ($0.status == .failed || $0.status == .uncertain)
    }
    guard !failed.isEmpty else { return }
    let message = failed[generator.below(failed.count)]
    world.note("\(device.name) sends \(message.id.rawValue) again")
    device.record.retries(message.id)
    ledger.retried(message.messageID, on: device.name)
    device.perform("retry") { _ in try await context.messenger.retry(message.id) }
  }

  private func cancel(in chat: ConversationID, on device: Device) {
    guard let context = device.chat(chat), let process = device.process else { return }
    let unsent = context.messages.compactMap(\.message).filter { $0.isOwn && $0.status != .sent }
    guard !unsent.isEmpty else { return }
    let message = unsent[generator.below(unsent.count)]
    guard let token = ledger.token(of: message.messageID, on: device.name) else { return }
    let ledger = ledger, world = world
    world.note("\(device.name) takes \(token) back")
    ledger.takesBack(token, message.id, message.messageID)
    device.perform("cancel") { _ in
      do {
        let outcome = try await context.messenger.cancel(message.id)
        world.note("\(token) is \(outcome)")
        ledger.answered(
          token, outcome == .cancelled ? .cancelled : .stored(message.id, message.messageID))
      } catch {
        if !process.isDead { ledger.answered(token, .stored(message.id, message.messageID)) }
        throw error
      }
    }
  }

  private func markRead(_ chat: ConversationID, on device: Device) {
    guard let context = device.chat(chat) else { return }
    world.note("\(device.name) has read \(chat.rawValue)")
    device.perform("mark read") { _ in try await context.markRead() }
  }

  private func loadMore(_ chat: ConversationID, on device: Device) {
    guard let context = device.chat(chat) else { return }
    world.note("\(device.name) scrolls up in \(chat.rawValue)")
    device.perform("load more") { _ in try await context.fetchMorePreviousMessages() }
  }

  private func fillGap(_ chat: ConversationID, on device: Device) {
    guard let context = device.chat(chat) else { return }
    let gaps = context.messages.compactMap(\.gap)
    guard !gaps.isEmpty else { return }
    let gap = gaps[generator.below(gaps.count)]
    world.note("\(device.name) fills a gap of \(chat.rawValue)")
    device.perform("fill gap") { _ in try await context.fill(gap) }
  }
}
