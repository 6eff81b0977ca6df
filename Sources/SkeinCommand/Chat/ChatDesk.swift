import Foundation
import Skein
import SkeinCards
import SkeinExamples
import SkeinTerminal

/// Carries out the lines typed in a chat client, and reports the client's events to an output.
actor ChatDesk {
  let client: ChatClient
  let output: any ChatOutput
  private var chat: ChatContext?
  private(set) var name = ""
  /// The open chat's list as it was last reported to the output.
  private(set) var shown = MessageList()
  /// The states of unsent messages as they were last reported.
  var reported: [LocalMessageID: (standing: SendStanding, text: String)] = [:]
  /// The unsent messages that were listed last, in the order of their numbers.
  var listed: [ChatMessage] = []
  /// The open chat's cards.
  private(set) var cards: MessageCardViewModelFactory?
  /// The cards' actions that were listed last, in the order of their numbers.
  var offers: [TerminalOffer] = []
  /// The number of actions that are being performed.
  var performing = 0
  private var following: [Task<Void, Never>] = []
  private var followingChat: [Task<Void, Never>] = []

  init(_ client: ChatClient, output: any ChatOutput) {
    self.client = client
    self.output = output
  }

  /// Starts to report the states of the connection and of catching up, the conversations, and the states of
  /// the open chat's unsent messages.
  func start() {
    following = [
      Task { [client, output] in
        for await state in client.connectionStates { await output.show([.connection(state)]) }
      },
      Task { [client, output] in
        var follower = SyncFollower()
        for await state in client.catchUpStates {
          if let standing = follower.apply(state) { await output.show([.sync(standing)]) }
        }
      },
      Task { [client, output] in
        var follower = ListFollower<Conversation>()
        for await update in client.conversations.changes {
          await output.show(follower.apply(update).map { .conversation($0) })
        }
      },
      Task { await followStandings() },
    ]
  }

  /// Waits until catching up has succeeded or failed, or until another process has the connection. Then shows
  /// the conversations and a hint.
  func welcome() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [client] in
        for await state in client.catchUpStates where state != .waiting && state != .fetching { break }
      }
      // In the state `elsewhere`, another process catches up.
      group.addTask { [client] in
        for await state in client.connectionStates where state == .elsewhere { break }
      }
      await group.next()
      group.cancelAll()
    }
    await output.show([.list(Array(client.conversations.conversations)), .welcome])
  }

  /// Waits until no message waits to be sent and every action of a card is performed, or until there is no
  /// progress for a while. Failed and uncertain messages do not count as waiting.
  ///
  /// - Returns: The number of messages that wait for the next start.
  func finish() async throws -> Int {
    var waiting = try await client.waitingMessageCount()
    var lastProgress = ContinuousClock.now
    while waiting > 0 || performing > 0, lastProgress.duration(to: .now) < patience {
      try await Task.sleep(for: .milliseconds(50))
      let left = try await client.waitingMessageCount()
      if left != waiting || client.sendStatus.isPreparing { lastProgress = .now }
      waiting = left
    }
    await showTheRest(waiting: waiting)
    return waiting
  }

  /// Stops reporting.
  func stop() {
    for task in following + followingChat { task.cancel() }
  }

  /// The time without progress after which ``finish()`` gives up.
  private var patience: Duration {
    switch client.connectionState {
    case .elsewhere: .zero
    case .offline: .seconds(2)
    default: .seconds(10)
    }
  }

  /// Waits at most a second until the output has the present list of the open chat. If `waiting` is 0, the
  /// list must also show no message as waiting.
  private func showTheRest(waiting: Int) async {
    guard let chat else { return }
    await showAll(of: chat) {
      waiting > 0 || !chat.messages.contains { $0.message?.status.isWaiting == true }
    }
  }

  /// Waits at most a second until `isDone` returns true and the output has the present list of a chat.
  func showAll(of chat: ChatContext, when isDone: () -> Bool) async {
    let deadline = ContinuousClock.now + .seconds(1)
    while ContinuousClock.now < deadline {
      if isDone(), chat.messages.elementsEqual(shown) { return }
      try? await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Carries out one line.
  ///
  /// - Returns: False if the line ends the client.
  func handle(_ line: String) async -> Bool {
    do {
      return try await carryOut(Instruction(line))
    } catch {
      await output.show([.problem(ProblemText.of(error))])
      return true
    }
  }

  private func carryOut(_ instruction: Instruction) async throws -> Bool {
    switch instruction {
    case .nothing: break
    case .quit: return false
    case .help: await output.show([.help(Instruction.table)])
    case .list: await output.show([.list(Array(client.conversations.conversations))])
    case .open(let name): try await open(name)
    case .answerInvitation(let name, let accepts): try await answerInvitation(name, accepts: accepts)
    case .group(let title, let members):
      let users = members.map { UserID($0, like: client.account) }
      let id = try await client.openGroup(title: title, members: users)
      try await show(id, name: title)
    case .send(let text): try await send(TextContent(calling: text))
    case .location(let latitude, let longitude, let name):
      try await send(LocationContent(latitude: latitude, longitude: longitude, name: name))
    case .poll(let question, let answers): try await send(Poll(question, answers: answers))
    case .image(let path): try await send(Picture.content(of: URL(filePath: path)))
    case .file(let path): try await send(MediaFile.content(of: URL(filePath: path)))
    case .save(let path): try await save(to: path)
    case .more: try await more()
    case .newer: try await newer()
    case .jump(let date): try await jump(to: date)
    case .read(let name): try await markRead(name)
    case .set(let setting, let name, let isSet): try await set(setting, of: name, to: isSet)
    case .retry(let number): try await retry(number)
    case .waiting: try await listWaiting()
    case .edit(let text): try await edit(text)
    case .recall(let number): try await recall(number ?? 1)
    case .react(let key, let number, let isSet):
      try await react(ReactionKey(rawValue: key), number ?? 1, isSet: isSet)
    case .setFlag(let flag, let number, let isSet): try await setFlag(flag, number ?? 1, to: isSet)
    case .listFlagged(let label): try await list(label)
    case .reply(let number, let text): try await reply(to: number, text)
    case .search(let text): try await search(text)
    case .cancel(let number): try await cancel(number)
    case .offers: try await listOffers()
    case .perform(let number, let value): try await perform(number, value)
    }
    return true
  }

  func openChat() throws -> ChatContext {
    guard let chat else { throw UsageError("No chat is open: type /open USER first.") }
    return chat
  }

  // MARK: Chats

  func open(_ name: String) async throws {
    if let group = group(named: name) {
      return try await show(try member(of: group, named: name), name: name)
    }
    try await openChat(with: UserID(name, like: client.account), name: name)
  }

  /// The id of a chat, if it is no unanswered invitation.
  func member(of chat: Conversation, named name: String) throws -> ConversationID {
    if chat.asksToJoin { throw UsageError("You are invited to \(name): /accept or /decline.") }
    return chat.id
  }

  /// The group with a title. If a listed user has this name, the title must begin with "#".
  func group(named name: String) -> Conversation? {
    let user = UserID(name, like: client.account)
    let chats = client.conversations.conversations
    // Anybody can give a group the name of a user, so that a chat with this user comes first.
    let isKnown = chats.contains { $0.type == .direct && $0.peer == user }
    let titles = [isKnown ? nil : name, name.hasPrefix("#") ? String(name.dropFirst()) : nil]
    return chats.first { $0.type != .direct && $0.title != nil && titles.contains($0.title) }
  }

  func show(_ id: ConversationID, name: String) async throws {
    await stopFollowing()
    let chat = client.context(for: id)
    try await chat.open()
    let cards =
      if let cards, self.chat?.conversation == id {
        cards
      } else {
        MessageCardViewModelFactory(for: chat, registry: .command, delegate: self)
      }
    (self.chat, self.name, self.cards) = (chat, name, cards)
    shown = MessageList()
    (reported, offers) = ([:], [])
    // The streams must exist before the first card is made.
    let (reloads, problems) = (cards.reloads, cards.problemUpdates)
    await output.show([.opened(id, name: name, count: count(in: chat), hasMore: hasMore(in: chat))])
    followingChat = [
      Task {
        var follower = ListFollower<MessageListItem>()
        var read: LocalMessageID?
        for await update in chat.changes {
          let steps = follower.apply(update).map { step in
            ChatEvent.message(step, step.item?.message.map(cards.card))
          }
          await output.show(steps + [.settled])
          shown = update.snapshot
          // Messages beyond the end of the list have not been shown. Without a later message, a mark as unread stays.
          let last = update.snapshot.reversed().lazy.compactMap(\.message).first?.id
          if output.isRead, !chat.hasMoreNextMessages, last != read {
            read = last
            try? await chat.markRead()
          }
        }
      },
      Task { await followReceipts(of: chat) },
      Task { await follow(reloads, of: cards, in: chat) },
      Task { for await problem in problems { await output.show([.fault(problem)]) } },
    ]
  }

  /// Reports the delivery stage and the readers of this account's last sent message, after each change.
  private func followReceipts(of chat: ChatContext) async {
    var told: (id: LocalMessageID, stage: Receipts.Stage, readers: [UserID])?
    for await receipts in chat.receiptUpdates {
      guard
        let last = chat.messages.reversed().lazy.compactMap(\.message).first(where: {
          $0.isOwn && $0.status == .sent
        })
      else { continue }
      let now = (id: last.id, stage: receipts.stage(of: last), readers: receipts.readers(of: last))
      if let told, told == now { continue }
      if told == nil, now.stage == .sent, now.readers.isEmpty { continue }
      told = now
      await output.show([.receipt(last, now.stage, readers: now.readers)])
    }
  }

  /// Stops reporting the open chat, and returns when the last report is done.
  func stopFollowing() async {
    for task in followingChat { task.cancel() }
    for task in followingChat { await task.value }
  }

  func count(in chat: ChatContext) -> Int { chat.messages.count { $0.message != nil } }

  // MARK: Messages

  private func send(_ content: some MessageContent) async throws {
    let chat = try openChat()
    // The new message will be the last message of the chat. The user sees this message only if the list
    // reaches the end of the chat.
    if chat.hasMoreNextMessages { try await jump(to: nil) }
    await output.show([.stored(try await chat.messenger.send(content))])
  }

  private func save(to path: String) async throws {
    let messages = try openChat().messages.reversed().lazy.compactMap(\.message)
    guard let media = messages.compactMap(\.content.media).first else {
      throw UsageError("No picture or file is shown here; /more shows older messages.")
    }
    try await client.download(media, to: URL(filePath: path))
    await output.show([.saved(path: path, media)])
  }

  private func retry(_ number: Int?) async throws {
    let chat = try openChat()
    let failed = chat.messages.compactMap(\.message).filter {
      $0.status == .failed || $0.status == .uncertain
    }
    guard number.map({ failed.indices.contains($0 - 1) }) ?? !failed.isEmpty else {
      throw UsageError(
        failed.isEmpty
          ? "No message shown here has failed." : "\(failed.count) messages shown here have failed; /retry N."
      )
    }
    let chosen = number.map { [failed[$0 - 1]] } ?? failed
    for message in chosen { try await chat.messenger.retry(message.id) }
    await output.show([.retried(chosen.count)])
  }
}
