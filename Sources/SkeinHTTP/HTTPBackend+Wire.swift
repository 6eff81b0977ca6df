#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinModel
import SkeinWire

// Conversions between the protocol's types and the engine's types.

/// An answer that is well-formed but contradictory.
struct WireContradiction: Error {}

extension UserID {
  init(_ wire: Wire.UserID) { self.init(rawValue: wire.rawValue) }
}

extension Wire.UserID {
  init(_ user: UserID) { self.init(rawValue: user.rawValue) }
}

extension SyncBatch {
  init(_ page: Wire.SyncPage) throws {
    self.init(
      from: page.from.map { SyncCursor(rawValue: $0.rawValue) },
      next: SyncCursor(rawValue: page.next.rawValue), epoch: Epoch(rawValue: page.epoch.rawValue),
      hasMore: page.hasMore, conversations: try page.conversations.map(ConversationDelta.init),
      contactVersion: page.contactVersion.map { ContactVersion(rawValue: $0.rawValue) },
      time: Timestamp(rawValue: page.serverTime))
  }
}

extension ContactDelta {
  init(_ page: Wire.ContactPage) throws {
    self.init(
      from: page.from.map { ContactVersion(rawValue: $0.rawValue) },
      next: ContactVersion(rawValue: page.next.rawValue), isFull: page.from == nil,
      changed: try page.changed.map(Contact.init), removed: try page.removed.map(Contact.ID.init),
      epoch: page.epoch.map { Epoch(rawValue: $0.rawValue) })
  }
}

extension Contact {
  init(_ wire: Wire.Contact) throws {
    self.init(
      id: try ID(wire.contact), type: ContactType(rawValue: wire.kind.rawValue), name: wire.name,
      remark: wire.remark, settings: ContactSettings(isMuted: wire.isMuted, isPinned: wire.isPinned))
  }
}

extension Contact.ID {
  init(_ name: Wire.ContactName) throws {
    switch (name.user, name.conversation) {
    case (let user?, nil): self = .user(UserID(user))
    case (nil, let conversation?): self = .group(ConversationRef(rawValue: conversation.rawValue))
    default: throw WireContradiction()
    }
  }
}

extension ConversationDelta {
  init(_ change: Wire.ConversationChange) throws {
    let messages = try change.messages.ascending()
    guard change.count >= messages.count, messages.isEmpty == (change.count == 0),
      let count = Int(exactly: change.count)
    else { throw WireContradiction() }
    self.init(
      info: try ConversationInfo(change.conversation), count: count,
      unread: change.unread.map { Int(clamping: max($0, 0)) },
      unreadMentions: change.unreadMentions.map { Int(clamping: max($0, 0)) }, messages: messages,
      revised: (change.revised ?? []).map(IncomingMessage.init))
  }
}

extension ConversationInfo {
  /// An unknown kind of conversation is shown as a group.
  init(_ wire: Wire.Conversation) throws {
    guard !wire.id.rawValue.isEmpty else { throw WireContradiction() }
    self.init(
      ref: ConversationRef(rawValue: wire.id.rawValue),
      type: ConversationType(rawValue: wire.kind.rawValue) ?? .group, peer: wire.peer.map(UserID.init),
      title: wire.title, members: wire.members.map(UserID.init),
      readMark: wire.readPosition > 0
        ? MessageMark(position: Position(rawValue: wire.readPosition)) : nil,
      receipts: (wire.receipts ?? []).map(MemberReceipt.init),
      settings: ConversationSettings(
        isMuted: wire.settings?.isMuted, isPinned: wire.settings?.isPinned,
        isMarkedUnread: wire.settings?.isMarkedUnread))
  }
}

extension MemberReceipt {
  init(_ wire: Wire.Receipt) {
    self.init(
      user: UserID(wire.user), delivered: MessageMark(position: Position(rawValue: max(wire.delivered, 0))),
      read: MessageMark(position: Position(rawValue: max(wire.read, 0))))
  }
}

extension HistoryPage {
  init(_ page: Wire.HistoryPage) throws {
    self.init(
      messages: try page.messages.ascending(), reachesStart: page.reachesStart,
      reachesEnd: page.reachesEnd, epoch: page.epoch.map { Epoch(rawValue: $0.rawValue) })
  }
}

extension [Wire.Message] {
  /// Converts the messages; throws if their positions are not consecutive or start below 1.
  fileprivate func ascending() throws -> [IncomingMessage] {
    for (message, next) in zip(self, dropFirst()) where message.position &+ 1 != next.position {
      throw WireContradiction()
    }
    if let first, first.position < 1 { throw WireContradiction() }
    return map(IncomingMessage.init)
  }
}

extension IncomingMessage {
  private static func flags(_ times: [String: Int64]) -> [MessageFlag: Timestamp] {
    let flags = times.map { (MessageFlag(rawValue: $0.key), Timestamp(milliseconds: $0.value)) }
    return Dictionary(flags) { max($0, $1) }
  }

  init(_ message: Wire.Message) {
    self.init(
      serverID: ServerMessageID(rawValue: message.serverID.rawValue),
      messageID: MessageID(rawValue: message.id.rawValue), sender: UserID(message.sender),
      position: Position(rawValue: message.position), time: Timestamp(milliseconds: message.time),
      kind: MessageKind(rawValue: message.kind), payload: Data(message.content.utf8),
      revision: max(message.revision ?? 0, 0), parameters: message.parameters ?? [:],
      edited: message.edited.map { Timestamp(milliseconds: $0) },
      reactions: (message.reactions ?? []).map { reaction in
        Reaction(ReactionKey(rawValue: reaction.key), users: reaction.users.map { UserID($0) })
      }, flags: Self.flags(message.flags ?? [:]),
      quote: message.quote.map(IncomingQuote.init),
      mentions: message.mentions.map(Mentions.init) ?? Mentions.nobody,
      isCountable: message.isCountable ?? true)
  }
}

extension Mentions {
  init(_ wire: Wire.Mentions) {
    self.init((wire.users ?? []).map { UserID($0) }, everyone: wire.everyone ?? false)
  }
}

extension Wire.Mentions {
  init?(_ mentions: Mentions) {
    if mentions == .nobody { return nil }
    self.init(users: mentions.users.map(Wire.UserID.init), everyone: mentions.everyone)
  }
}

extension IncomingQuote {
  init(_ quote: Wire.Quote) {
    let name = MessageReference(
      sender: UserID(quote.sender), messageID: MessageID(rawValue: quote.id.rawValue),
      serverID: ServerMessageID(rawValue: quote.serverID.rawValue))
    guard let kind = quote.kind, let content = quote.content else {
      self.init(message: name)
      return
    }
    self.init(
      message: name, kind: MessageKind(rawValue: kind), payload: Data(content.utf8),
      revision: max(quote.revision ?? 0, 0))
  }
}

extension Wire.MessageName {
  init(_ message: MessageReference) throws {
    guard let id = message.messageID else {
      throw BackendError(.permanent, "The message has no id that this server knows.")
    }
    self.init(sender: Wire.UserID(message.sender), id: Wire.MessageID(rawValue: id.rawValue))
  }
}

extension SendReceipt {
  init(_ receipt: Wire.MessageReceipt) {
    self.init(
      serverID: ServerMessageID(rawValue: receipt.serverID.rawValue),
      position: Position(rawValue: receipt.position), time: Timestamp(milliseconds: receipt.time),
      epoch: receipt.epoch.map { Epoch(rawValue: $0.rawValue) })
  }
}

extension Wire.RevisionRequest {
  init(_ action: OutgoingAction) throws {
    let message = try Wire.MessageName(action.message)
    let wire: Wire.Revision =
      switch action.action {
      case .edit(let kind, let payload):
        .edit(kind: kind.rawValue, content: try HTTPBackend.text(payload))
      case .recall: .recall
      case .reaction(let key, let isSet): .reaction(key: key.rawValue, isSet: isSet)
      case .flag(let flag, let isSet): .flag(flag.rawValue, isSet: isSet)
      }
    self.init(
      id: action.id.rawValue, message: message.id, sender: message.sender, revision: wire)
  }
}

extension Wire.ConversationRequest {
  init(_ request: ConversationRequest) throws {
    switch request {
    case .direct(let peer): self = .direct(peer: Wire.UserID(peer))
    case .group(let id, let title, let members):
      self = .group(id: id, title: title, members: members.map(Wire.UserID.init))
    case .invitation: throw BackendError(.unsupported, "This server has no invitations.")
    }
  }
}

extension RemoteMedia {
  init(_ media: Wire.Media) {
    self.init(id: media.id.rawValue, size: media.size, type: media.type)
  }
}
