#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Skein

extension Story {
  /// Performs a random action on a random device.
  func act() {
    let device = devices[generator.below(devices.count)]
    guard device.process != nil else { return device.open() }
    guard let client = device.client else { return }
    let chats = client.conversations.conversations.map(\.id)
    guard !chats.isEmpty else { return openChat(on: device) }
    let chat = chats[generator.below(chats.count)]
    switch generator.choose(SimulatedAction.self) {
    case .openChat: openChat(on: device)
    case .sendText: send(generator.happens(perMille: 250) ? 2 + generator.below(5) : 1, to: chat, on: device)
    case .sendImage: sendImage(to: chats, on: device)
    case .sendLinkedImage: sendLinkedImage(to: chat, on: device)
    case .follow: follow(in: chats, on: device)
    case .forward: forward(from: chat, to: chats, on: device)
    case .reply: reply(in: chat, on: device)
    case .retry: retry(in: chat, on: device)
    case .cancel: cancel(in: chat, on: device)
    case .markRead: markRead(chat, on: device)
    case .loadMore: loadMore(chat, on: device)
    case .fillGap: fillGap(chat, on: device)
    case .jump: jump(in: chat, on: device)
    case .delete: delete(in: chat, on: device)
    case .clear: clear(chat, on: device)
    case .deleteChat: deleteChat(chat, on: device)
    case .writeDraft: writeDraft(in: chat, on: device)
    case .changeSettings: changeSettings(of: chat, on: device)
    case .type: type(in: chat, on: device)
    case .stopOrStart: stopOrStart(device)
    case .close: close(device)
    case .changePhase: changePhase(of: device)
    case .react: react(in: chat, on: device)
    case .edit: edit(in: chat, on: device)
    case .recall: recall(in: chat, on: device)
    case .flag: flag(in: chat, on: device)
    case .pinTogether: pinTogether(in: chat, on: device)
    case .reviseUncertain: reviseUncertain(on: device)
    case .revertAction: revertAction(on: device)
    case .changeContacts: changeContacts(of: device.user)
    case .leave: leave(chat, on: device)
    case .changeMembers: changeMembers()
    case .invite: invite()
    case .answerInvitation: answerInvitation(on: device)
    case .flood: flood()
    case .trim: trim()
    case .replace: replace()
    }
  }

  /// Counts and notes an action that was chosen and is possible.
  func begin(_ action: SimulatedAction, _ what: String) {
    actions[action, default: 0] += 1
    world.note(what)
  }

  private func type(in chat: ConversationID, on device: Device) {
    begin(.type, "\(device.name) types in \(chat.rawValue)")
    device.chat(chat)?.noteTyping()
  }

  private func stopOrStart(_ device: Device) {
    begin(.stopOrStart, "\(device.name) is \(device.isStarted ? "stopped" : "started")")
    if device.isStarted { device.stop() } else { device.start() }
  }

  private func close(_ device: Device) {
    begin(.close, "\(device.name) is to close")
    device.close()
  }

  private func openChat(on device: Device) {
    device.clears.opens()
    let others = ["alice", "bob", "carol"].map { UserID($0) }.filter { $0 != device.user }
    if generator.happens(perMille: 600) {
      let peer = others[generator.below(others.count)]
      begin(.openChat, "\(device.name) opens a chat with \(peer)")
      device.perform("open chat") { [clears = device.clears] in
        _ = try await $0.open(.direct(peer))
        clears.opens()
      }
    } else {
      begin(.openChat, "\(device.name) opens a group")
      device.perform("open group") { _ = try await $0.openGroup(title: "group", members: others) }
    }
  }

  func makeToken(on device: Device) -> String {
    tokens += 1
    return "\(device.name)#\(tokens)"
  }

  func send(_ count: Int, to chat: ConversationID, on device: Device) {
    let tokens = (0..<count).map { _ in makeToken(on: device) }
    begin(.sendText, "\(device.name) writes \(count) texts")
    // A burst comes from one caller in sequence, or from many at once.
    if generator.happens(perMille: 700) {
      give(tokens.map { ($0, text($0)) }, to: chat, on: device)
    } else {
      for token in tokens { give([(token, text(token))], to: chat, on: device) }
    }
  }

  /// Makes a text, sometimes with a mention of everyone or of a user who need not be a member.
  private func text(_ token: String) -> TextContent {
    guard generator.happens(perMille: 100) else { return TextContent(token) }
    let called: [UserID?] = ["alice", "bob", "carol", nil]
    let mention = TextMention(called[generator.below(called.count)], start: 0, length: 1)
    return TextContent(token, mentions: [mention])
  }

  /// Sends a picture once or twice, each time to a random chat. Later calls may send the same picture again.
  private func sendImage(to chats: [ConversationID], on device: Device) {
    let picture = "\(device.name)/\(generator.below(12))"
    begin(.sendImage, "\(device.name) sends the picture \(picture)")
    for _ in 0...generator.below(2) {
      let token = makeToken(on: device)
      let file = folder.appending(path: token)
      guard (try? Data(picture.utf8).write(to: file)) != nil else { return }
      let image = ImageContent(.file(file, type: "image/png"), width: tokens)
      give([(token, image)], to: chats[generator.below(chats.count)], on: device) {
        // The original file may be removed once the message is stored.
        try? FileManager.default.removeItem(at: file)
      }
    }
  }

  /// Sends a picture of another server, which the media server has to copy.
  private func sendLinkedImage(to chat: ConversationID, on device: Device) {
    let picture = "\(device.name)/\(generator.below(12))"
    guard let url = URL(string: "https://other.example/\(picture)") else { return }
    begin(.sendLinkedImage, "\(device.name) sends the picture \(picture) of another server")
    let token = makeToken(on: device)
    give([(token, ImageContent(.thirdParty(url), width: tokens))], to: chat, on: device)
  }

  /// Sends a message that depends on an unsent message of the same or another chat.
  private func follow(in chats: [ConversationID], on device: Device) {
    let pending = unsent(in: chats[generator.below(chats.count)], on: device) {
      $0 == .queued || $0 == .sending
    }
    guard !pending.isEmpty else { return }
    let target = pending[generator.below(pending.count)]
    let token = makeToken(on: device)
    begin(.follow, "\(device.name) sends \(token) after \(target.id.rawValue)")
    give([(token, TextContent(token))], to: chats[generator.below(chats.count)], after: target, on: device)
  }

  /// The user's own messages that are in the window of a chat and have a matching status.
  private func unsent(in chat: ConversationID, on device: Device, _ isMeant: (MessageStatus) -> Bool)
    -> [ChatMessage]
  {
    let messages = device.chat(chat)?.messages.compactMap(\.message) ?? []
    return messages.filter { $0.isOwn && isMeant($0.status) }
  }

  func give<Content: MessageContent>(
    _ contents: [(token: String, content: Content)], to chat: ConversationID,
    after target: ChatMessage? = nil, replyingTo replied: ChatMessage? = nil, on device: Device,
    then: @escaping @Sendable () -> Void = {}
  ) {
    guard let process = device.process, let context = device.chat(chat) else { return }
    let ledger = ledger, world = world
    world.note("\(device.name) sends \(contents.map(\.token)) to \(chat.rawValue)")
    device.perform("send") { _ in
      for (token, content) in contents {
        let isWaitedFor = replied.map { $0.isOwn && $0.status != .sent } ?? false
        ledger.asks(
          token, of: device.name, in: chat, after: isWaitedFor ? replied?.messageID : target?.messageID,
          replyingTo: replied?.messageID)
        do {
          let sent = try await context.messenger.send(
            content, after: target?.id, replyingTo: replied?.id)
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
    let failed = unsent(in: chat, on: device) { $0 == .failed || $0 == .uncertain }
    guard !failed.isEmpty else { return }
    let message = failed[generator.below(failed.count)]
    retry(message.id, message.messageID, context, on: device)
  }

  private func retry(_ id: LocalMessageID, _ messageID: MessageID, _ context: ChatContext, on device: Device)
  {
    begin(.retry, "\(device.name) sends \(id.rawValue) again")
    device.record.retries(id)
    ledger.retried(messageID, on: device.name)
    device.perform("retry") { _ in try await context.messenger.retry(id) }
  }

  /// Retries or deletes the uncertain messages on which operations depend; only the user can decide this.
  func decide(on device: Device) {
    guard let chat = device.client?.conversations.conversations.first, let context = device.chat(chat.id)
    else {
      return
    }
    for message in device.undecided {
      if message.canBeSentAgain {
        retry(message.id, message.name, context, on: device)
      } else {
        delete([(message.id, message.name, nil)], context, on: device)
      }
    }
  }

  private func cancel(in chat: ConversationID, on device: Device) {
    guard let context = device.chat(chat), let process = device.process else { return }
    let unsent = unsent(in: chat, on: device) { $0 != .sent }
    guard !unsent.isEmpty else { return }
    let message = unsent[generator.below(unsent.count)]
    guard let token = ledger.token(of: message.messageID, on: device.name) else { return }
    let ledger = ledger, world = world
    begin(.cancel, "\(device.name) cancels \(token)")
    ledger.cancels(token, message.id, message.messageID)
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

  private func delete(in chat: ConversationID, on device: Device) {
    guard let context = device.chat(chat) else { return }
    let shown = context.messages.compactMap(\.message).filter {
      $0.status == .sent || $0.status == .uncertain
    }
    let doomed = shown.dropFirst(generator.below(shown.count + 1)).prefix(1 + generator.below(3))
    if !doomed.isEmpty { delete(doomed, in: context, on: device) }
  }

  func delete(_ doomed: ArraySlice<ChatMessage>, in context: ChatContext, on device: Device) {
    delete(doomed.map { ($0.id, $0.messageID, $0.serverID) }, context, on: device)
  }

  private func delete(
    _ doomed: [(id: LocalMessageID, name: MessageID, server: ServerMessageID?)], _ context: ChatContext,
    on device: Device
  ) {
    begin(.delete, "\(device.name) deletes \(doomed.map(\.id.rawValue))")
    let record = device.record
    // The chat stays in the list, although all its messages may be hidden then.
    device.clears.lists(context.conversation)
    record.deletes(doomed.map { ($0.name, $0.server) })
    ledger.abandons(doomed.filter { $0.server == nil }.map(\.name), on: device.name)
    device.perform("delete") { [ids = doomed.map(\.id), names = doomed.map(\.name)] _ in
      try await context.delete(ids)
      record.hasDeleted(names)
    }
  }

  private func markRead(_ chat: ConversationID, on device: Device) {
    guard let context = device.chat(chat) else { return }
    begin(.markRead, "\(device.name) has read \(chat.rawValue)")
    let (mark, position) = (readMark(of: chat, on: device), device.newestOfOthers(in: chat))
    device.perform("mark read") { [intentions] _ in
      try await context.markRead()
      if let mark, let position { intentions.read(mark, upTo: position) }
      device.checkGaps()
    }
  }

  private func loadMore(_ chat: ConversationID, on device: Device) {
    guard let context = device.chat(chat) else { return }
    let isUp = generator.happens(perMille: 600) || !context.hasMoreNextMessages
    begin(.loadMore, "\(device.name) scrolls \(isUp ? "up" : "down") in \(chat.rawValue)")
    device.perform("load more") { _ in
      if isUp {
        try await context.fetchMorePreviousMessages()
      } else {
        try await context.fetchMoreNextMessages()
      }
    }
  }

  /// Jumps to a message, to a moment, or to the end.
  private func jump(in chat: ConversationID, on device: Device) {
    guard let context = device.chat(chat) else { return }
    // Some jumps happen while a page is being loaded.
    if generator.happens(perMille: 400) { loadMore(chat, on: device) }
    let ref = device.client?.conversations.conversations.first { $0.id == chat }?.ref
    let all = ref.map { server.messages(in: $0) } ?? []
    let way = generator.below(3)
    guard way > 0, !all.isEmpty else {
      begin(.jump, "\(device.name) jumps to the end of \(chat.rawValue)")
      return device.perform("jump to the end") { _ in try await context.jumpToNewest() }
    }
    let message = all[generator.below(all.count)]
    begin(.jump, "\(device.name) jumps to \(message.position?.rawValue ?? 0) of \(chat.rawValue)")
    if way == 1, let id = message.serverID {
      device.perform("jump to a message") { _ in try await context.jump(to: id) }
    } else {
      device.perform("jump to a moment") { _ in try await context.jump(to: message.time) }
    }
  }

  func fillGap(_ chat: ConversationID, on device: Device) {
    guard let context = device.chat(chat) else { return }
    let gaps = context.messages.compactMap(\.gap)
    guard !gaps.isEmpty else { return }
    let gap = gaps[generator.below(gaps.count)]
    begin(.fillGap, "\(device.name) fills a gap of \(chat.rawValue)")
    device.perform("fill gap") { _ in try await context.fill(gap) }
  }
}
