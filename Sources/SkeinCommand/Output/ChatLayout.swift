import Skein
import SkeinCards
import SkeinTerminal

/// Decides which lines an event becomes on surfaces that write from top to bottom.
struct ChatLayout: Sendable {
  /// An entry of the transcript. The surface formats it.
  enum Line: Sendable {
    case day(String)
    case message(MessageCardViewModel)
    /// A card on the screen has changed.
    case again(MessageCardViewModel)
    /// The status of a message on the screen has changed.
    case status(ChatMessage)
    /// The state of an unsent message on the screen, at a moment.
    case standing(ChatMessage, SendStanding, at: Timestamp)
    /// An unsent message was cancelled or deleted.
    case gone(ChatMessage)
    case note(String)
    case problem(String)
    /// Several lines that are already formatted.
    case table(String)
  }

  /// The last state of the connection that was written.
  private enum Announced { case nothing, online, offline }
  /// The part of the open chat's list to which the latest insertions belong.
  private enum Part {
    case newest
    /// The messages that a chat is opened with.
    case opening
    /// A page of older messages.
    case olderPage
  }

  private var announced = Announced.nothing
  private var isBehind = false
  private var unread: [ConversationID: (count: Int, mentions: Int)] = [:]
  private var failures: [ConversationID: SendFailure] = [:]
  /// The invitations that were reported and are not answered.
  private var invitations: Set<ConversationID> = []
  private var open: (id: ConversationID, name: String)?
  /// The number of entries in the open chat's list.
  private var count = 0
  private var part = Part.newest
  /// The days last written: of the newest messages, and of the page of older messages.
  private var lastDay: String?
  private var lastOlderDay: String?
  /// A hash of each card as it was last written.
  private var drawn: [LocalMessageID: Int] = [:]

  mutating func lines(for event: ChatEvent, _ moment: Moment) -> [Line] {
    switch event {
    case .connection(let state): connection(state)
    case .sync(let standing): sync(standing)
    case .conversation(let step): conversation(step)
    case .message(let step, let card): message(step, card, moment)
    case .reloaded(let card): reloaded(card)
    case .offers(let offers): [.table(Self.table(of: offers))]
    case .opens(let page): [.note("an app would open its page \(SafeText.line(page.name.rawValue)) here")]
    case .fault(let problem):
      [.problem("\(SafeText.line(problem.business)): \(SafeText.line(problem.reason))")]
    case .settled: settled()
    case .opened(let id, let name, _, _): opened(id, name)
    case .stored, .read: []
    case .receipt(let message, _, let readers): Self.receipt(message, readers)
    case .standing(let message, let standing, let now): [.standing(message, standing, at: now)]
    case .waiting(let waiting, let now): [.table(Self.table(of: waiting, at: now))]
    case .found(let found): [.table(Self.table(of: found, moment))]
    case .flagged(let label, let flagged): [.table(Self.table(of: flagged, label, moment))]
    case .cancelled(let message, let outcome): [.note(Self.text(of: outcome, message))]
    case .page(let count, let hasMore, let hasNewer):
      [.note("\(Self.count(count, "message")) here" + Self.rest(hasOlder: hasMore, hasNewer: hasNewer))]
    case .saved(let path, let media):
      [.note("saved to \(SafeText.line(path)), \(media.size) bytes")]
    case .retried(let count): [.note("trying \(Self.count(count, "message")) again")]
    case .list(let conversations): [.table(Self.table(of: conversations))]
    case .welcome: [.note("/open USER opens a chat, /help lists the commands")]
    case .help(let table): [.table(table)]
    case .problem(let text): [.problem(SafeText.line(text))]
    case .ended(let waiting):
      waiting == 0
        ? []
        : [
          .note(
            "\(Self.count(waiting, "message")) not sent yet; skein sends \(waiting == 1 ? "it" : "them") when it next "
              + "has a connection here")
        ]
    }
  }

  private mutating func connection(_ state: ConnectionState) -> [Line] {
    defer {
      switch state {
      case .online: announced = .online
      case .offline: announced = .offline
      // Once this process has the connection, `online` and `offline` are both reported again.
      case .elsewhere: announced = .nothing
      case .connecting, .stopped, .signedOut: break
      }
    }
    switch state {
    case .online: return announced == .online ? [] : [.note("online")]
    case .offline: return announced == .offline ? [] : [.note("offline; new messages wait here")]
    case .signedOut(let reason):
      return [.problem("signed out: \(SafeText.line(reason.message)) Start again to sign in.")]
    case .elsewhere: return [.note("another skein process has the connection and sends your messages")]
    case .connecting, .stopped: return []
    }
  }

  /// Reports success only after a failure.
  private mutating func sync(_ standing: SyncStanding) -> [Line] {
    switch standing {
    case .failed(let reason):
      isBehind = true
      return [.note("not in sync: \(SafeText.line(reason))")]
    case .caughtUp:
      defer { isBehind = false }
      return isBehind ? [.note("in sync again")] : []
    }
  }

  /// Reports new unread messages in other chats, changed settings, invitations, and a chat that the server refuses.
  /// Of a muted chat, only messages that mention the account are reported.
  private mutating func conversation(_ step: ListStep<Conversation>) -> [Line] {
    if case .removed(let old, _, false) = step, invitations.remove(old.id) != nil {
      return [.note("\(SafeText.line(old.name)): the invitation has ended")]
    }
    guard let conversation = step.item else { return [] }
    defer {
      unread[conversation.id] = (conversation.unreadCount, conversation.unreadMentionCount)
      failures[conversation.id] = conversation.failure
    }
    let name = SafeText.line(conversation.name)
    var lines: [Line] = []
    if let failure = conversation.failure, failure != failures[conversation.id] {
      lines.append(.problem("\(name): \(SafeText.line(failure.message))"))
    }
    if !conversation.asksToJoin {
      invitations.remove(conversation.id)
    } else if invitations.insert(conversation.id).inserted, let text = conversation.invitationText {
      lines.append(.note("\(name): \(SafeText.line(text)); /accept or /decline"))
    }
    if case .changed(let old, let new, _) = step {
      lines += Self.settings(from: old, to: new, isOpen: new.id == open?.id).map { .note("\(name): \($0)") }
    }
    let known = unread[conversation.id, default: (0, 0)]
    let isNews = conversation.unreadCount > known.count
    let alerts = !conversation.isMuted || conversation.unreadMentionCount > known.mentions
    if conversation.id != open?.id, isNews, alerts {
      lines.append(.note("\(name): \(Self.unread(conversation))"))
    }
    return lines
  }

  private mutating func opened(_ id: ConversationID, _ name: String) -> [Line] {
    open = (id, SafeText.line(name))
    (count, part, lastDay, drawn) = (0, .opening, nil, [:])
    return [.note("chat with \(SafeText.line(name))")]
  }

  private mutating func message(
    _ step: ListStep<MessageListItem>, _ card: MessageCardViewModel?, _ moment: Moment
  ) -> [Line] {
    switch step {
    case .inserted(let item, let index, let isMove):
      count += 1
      guard !isMove else { return [] }
      if let card { drawn[card.id] = card.terminalLines.hashValue }
      let isOlder = index < count - 1
      return (isOlder ? olderPage() : []) + day(of: item, isOlder: isOlder, moment)
        + [line(of: item, card)].compactMap(\.self)
    case .removed(let item, _, let isMove):
      count -= 1
      guard !isMove, let message = item.message else { return [] }
      drawn[message.id] = nil
      return message.isOwn && message.status != .sent ? [.gone(message)] : [.note("a message was deleted")]
    case .changed(let old, let new, _):
      guard let old = old.message, let new = new.message else { return [] }
      let isFurther =
        new.isOwn && new.status != old.status && !(old.status.isWaiting && new.status.isWaiting)
      return revision(from: old, to: new) + (isFurther ? [.status(new)] : [])
    }
  }

  /// Reports changes of a message on the screen.
  private func revision(from old: ChatMessage, to new: ChatMessage) -> [Line] {
    let name = SafeText.line(new.sender.rawValue)
    let text = SafeText.line(new.content.displayedText)
    var lines: [Line] = []
    if new.isRecalled, !old.isRecalled {
      lines.append(.note("\(name) recalled a message"))
    } else if new.content != old.content, new.content.displayedText != old.content.displayedText {
      lines.append(.note("\(name) edited: \(text)"))
    }
    if new.reactions != old.reactions, !new.isRecalled {
      lines.append(.note("\(text.shortened(to: 32)): \(Self.text(of: new.reactions))"))
    }
    for label in FlagLabel.all where !new.isRecalled {
      let isSet = new.flags.contains(label.flag)
      guard isSet != old.flags.contains(label.flag) else { continue }
      lines.append(.note("\(isSet ? "" : "no longer ")\(label.state): \(text.shortened(to: 32))"))
    }
    if new.status == .sent, let failure = new.failure, failure != old.failure {
      lines.append(.problem("not done: \(SafeText.line(failure.message))"))
    }
    return lines
  }

  /// Reports who has read the account's last sent message.
  private static func receipt(_ message: ChatMessage, _ readers: [UserID]) -> [Line] {
    guard !readers.isEmpty else { return [] }
    let names = readers.map { SafeText.line($0.rawValue) }.joined(separator: ", ")
    let text = SafeText.line(message.content.displayedText).shortened(to: 32)
    return [.note("read by \(names): \(text)")]
  }

  /// The reactions with their counts.
  static func text(of reactions: [Reaction]) -> String {
    if reactions.isEmpty { return "no reactions" }
    return reactions.map { "\(SafeText.line($0.key.rawValue)) \($0.count)" }.joined(separator: "  ")
  }

  private mutating func olderPage() -> [Line] {
    guard part == .newest else { return [] }
    (part, lastOlderDay) = (.olderPage, nil)
    return [.note("earlier")]
  }

  private mutating func settled() -> [Line] {
    defer { part = .newest }
    switch part {
    case .olderPage: return [.note("end of older messages")]
    case .opening where count == 0:
      return [.note("no messages yet: type a text and send it with Return")]
    case .opening, .newest: return []
    }
  }

  private mutating func day(of item: MessageListItem, isOlder: Bool, _ moment: Moment) -> [Line] {
    guard let message = item.message else { return [] }
    let day = moment.day(message.time)
    // A page of older messages has days of its own, and does not change the day of the newest messages.
    if isOlder, part == .olderPage {
      guard day != lastOlderDay else { return [] }
      lastOlderDay = day
    } else {
      guard day != lastDay else { return [] }
      lastDay = day
    }
    return [.day(day)]
  }

  private func line(of item: MessageListItem, _ card: MessageCardViewModel?) -> Line? {
    switch item {
    case .message: card.map { .message($0) }
    case .gap(let gap): .note(Self.text(of: gap))
    }
  }

  /// Writes a card again if the card was written before and has changed since then.
  private mutating func reloaded(_ card: MessageCardViewModel) -> [Line] {
    let now = card.terminalLines.hashValue
    guard let last = drawn.updateValue(now, forKey: card.id) else {
      drawn[card.id] = nil
      return []
    }
    return last == now ? [] : [.again(card)]
  }
}

extension MessageCardViewModel {
  /// The card's lines. The last line also shows edits, reactions and flags. A further line lists the actions,
  /// if there are any.
  var shownLines: [TerminalLine] {
    let reactions = message.reactions.isEmpty ? "" : "  \(ChatLayout.text(of: message.reactions))"
    let flags = FlagLabel.all.filter { message.flags.contains($0.flag) }.map { "  \($0.sign)" }.joined()
    let note = (message.edited == nil ? "" : " (edited)") + reactions + flags
    var lines = terminalLines
    if let last = lines.popLast() { lines.append(TerminalLine(last.text + note, last.weight)) }
    let offers = terminalOffers.map(\.action.title).joined(separator: " · ")
    return offers.isEmpty ? lines : lines + [TerminalLine("/do: \(offers)", .faint)]
  }
}
