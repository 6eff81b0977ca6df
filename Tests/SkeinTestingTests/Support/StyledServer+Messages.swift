import Foundation
import Skein
import SkeinSimulation

extension ConversationSettings {
  /// All settings, and none of them is set.
  fileprivate static let none = ConversationSettings(isMuted: false, isPinned: false, isMarkedUnread: false)
}

extension StyledServer.State {
  /// The index of a conversation; throws if the user is not one of the members.
  func room(_ ref: ConversationRef, for user: UserID) throws -> Int {
    guard let room = rooms.firstIndex(where: { $0.info.ref == ref }), rooms[room].members.contains(user)
    else {
      throw BackendError(.permanent, "There is no such conversation.")
    }
    return room
  }

  func info(_ room: Int, for user: UserID) -> ConversationInfo {
    var info = rooms[room].info
    if info.type == .direct { info.peer = rooms[room].members.first { $0 != user } }
    info.readMark = mark(rooms[room].marks[user] ?? 0, in: room)
    if tellsReceipts { info.receipts = receipts(in: room, for: user) }
    info.settings = rooms[room].settings[user] ?? .none
    return info
  }

  mutating func open(_ request: ConversationRequest, by user: UserID) throws -> ConversationInfo {
    let info: ConversationInfo
    switch request {
    case .direct(let peer):
      guard users.contains(peer) else { throw BackendError(.permanent, "There is no such user.") }
      let pair = [user.rawValue, peer.rawValue].sorted()
      info = ConversationInfo(
        ref: ConversationRef(rawValue: pair.joined(separator: "+")), type: .direct,
        members: pair.map { UserID(rawValue: $0) })
    case .group(let id, let title, let members):
      info = ConversationInfo(
        ref: ConversationRef(rawValue: "\(user)/\(id)"), type: .group, title: title, members: [user] + members
      )
    case .invitation(let ref): return try accept(ref, by: user)
    }
    if rooms.contains(where: { $0.info.ref == info.ref }) {
      let room = try room(info.ref, for: user)
      list(room, for: user)
      return self.info(room, for: user)
    }
    rooms.append(StyledServer.Room(info: info))
    log.append(StyledServer.Entry(room: rooms.count - 1, message: nil, device: 0, user: nil))
    for member in info.members ?? [] { list(rooms.count - 1, for: member) }
    return self.info(rooms.count - 1, for: user)
  }

  mutating func take(
    _ message: OutgoingMessage, from user: UserID, on device: Int, _ style: ServerStyle
  ) throws -> SendReceipt {
    let room = try room(message.conversation, for: user)
    // A server with a window recognizes an id from the same device only.
    let known = log.first {
      $0.room == room && $0.message?.messageID == message.id && $0.message?.sender == user
        && (style.abilities.idempotency == .forever || $0.device == device)
    }?.message
    if let known, style.abilities.idempotency != .none {
      if known.payload == message.payload || style.abilities.idempotency != .forever {
        return receipt(known, style)
      }
      throw BackendError(.idInUse, "The id stands for something else.", stored: known)
    }
    if style.abilities.ordering == .dense {
      rooms[room].head += 1
    } else {
      rooms[room].head += log.count % 7 == 0 ? 1 << 33 : Int64(1 + log.count % 5)
    }
    let replied = try message.replyTo.map { try log[place(of: $0, in: room)].message?.reference ?? $0 }
    let stored = IncomingMessage(
      serverID: ServerMessageID(rawValue: "s\(log.count)"), messageID: message.id, sender: user,
      position: Position(rawValue: rooms[room].head), time: Timestamp(milliseconds: Int64(log.count)),
      kind: message.kind, payload: message.payload, parameters: message.parameters,
      quote: replied.map { IncomingQuote(message: $0) },
      mentions: style.abilities.mentions ? message.mentions : nil, isCountable: message.isCountable)
    log.append(StyledServer.Entry(room: room, message: stored, device: device, user: nil))
    return receipt(stored, style)
  }

  mutating func perform(
    _ action: OutgoingAction, by user: UserID, on device: Int, _ style: ServerStyle
  ) throws -> IncomingMessage? {
    let room = try room(action.conversation, for: user)
    let place = try place(of: action.message, in: room)
    if actions[action.id] != user {
      let now = Timestamp(milliseconds: Int64(log.count))
      var onlyUser: UserID?
      if case .flag(.star, let isSet) = action.action {
        try requireContent(of: log[place].message)
        let star = log[place].stars[user] ?? StyledServer.Star()
        log[place].stars[user] = StyledServer.Star(
          time: isSet ? star.time ?? now : nil, count: star.count + 1)
        onlyUser = user
      } else {
        try log[place].message?.apply(action.action, by: user, at: now)
      }
      actions[action.id] = user
      log.append(StyledServer.Entry(room: room, message: nil, device: 0, user: onlyUser, revised: place))
    }
    return shown(log[place], to: user, on: device, style)
  }

  private func requireContent(of message: IncomingMessage?) throws {
    if message?.kind == RecalledContent.kind {
      throw BackendError(.permanent, "The message was recalled.")
    }
  }

  /// The place of a message in the log; throws if the room has no message with these ids.
  private func place(of name: MessageReference, in room: Int) throws -> Int {
    let places = log.indices.filter { log[$0].room == room && log[$0].message != nil }
    guard let index = name.place(in: places.compactMap { log[$0].message }) else {
      throw BackendError(.permanent, "There is no such message.")
    }
    return places[index]
  }

  private func receipt(_ message: IncomingMessage, _ style: ServerStyle) -> SendReceipt {
    switch style.receipts {
    case .everything: SendReceipt(serverID: message.serverID, position: message.position, time: message.time)
    case .noPosition: SendReceipt(serverID: message.serverID)
    case .nothing: SendReceipt()
    }
  }

  /// A message as the style returns it to a user's device.
  func shown(_ entry: StyledServer.Entry, to user: UserID, on device: Int, _ style: ServerStyle)
    -> IncomingMessage?
  {
    var message = named(entry, to: user, on: device, style)
    guard let name = message?.quote?.message, let place = try? place(of: name, in: entry.room),
      let target = named(log[place], to: user, on: device, style)
    else { return message }
    message?.quote =
      style.quotes == .contents ? IncomingQuote(target) : IncomingQuote(message: target.reference)
    return message
  }

  private func named(_ entry: StyledServer.Entry, to user: UserID, on device: Int, _ style: ServerStyle)
    -> IncomingMessage?
  {
    var message = entry.message
    if let star = entry.stars[user] {
      message?.revision += star.count
      if message?.kind != RecalledContent.kind { message?.flags[.star] = star.time }
    }
    if style.abilities.ordering == .arrival { message?.position = nil }
    if style.abilities.echoesMessageID == .thisDevice, entry.device != device { message?.messageID = nil }
    return message
  }

  mutating func mark(_ ref: ConversationRef, upTo mark: MessageMark, by user: UserID) throws {
    let room = try room(ref, for: user)
    let named = log.first { $0.room == room && $0.message != nil && $0.message?.serverID == mark.serverID }
    guard let position = (hasPositions ? mark.position : named?.message?.position)?.rawValue else {
      throw BackendError(.permanent, "There is no such message.")
    }
    guard position > rooms[room].marks[user] ?? 0 else { return }
    rooms[room].marks[user] = min(position, rooms[room].head)
    noteReceipt(in: room, of: user)
  }

  /// Stores a setting of a room for one of its members.
  mutating func set(
    _ setting: ConversationSetting, to isSet: Bool, of ref: ConversationRef, by user: UserID
  ) throws {
    let room = try room(ref, for: user)
    rooms[room].settings[user, default: .none][setting] = isSet
    log.append(StyledServer.Entry(room: room, message: nil, device: 0, user: user))
  }

  /// A mark as this server's clients see it; nil if a server without positions has no message for it.
  private func mark(_ number: Int64, in room: Int) -> MessageMark? {
    if hasPositions { return MessageMark(position: Position(rawValue: number)) }
    let last = log.last { $0.room == room && $0.message?.position.map { $0.rawValue <= number } == true }
    return last?.message.map { MessageMark(serverID: $0.serverID) }
  }

  /// Records that a user's device has stored everything up to a cursor.
  mutating func deliver(upTo cursor: SyncCursor, to user: UserID) throws {
    let end = try place(of: cursor)
    guard end <= log.count else { throw BackendError(.cursorRejected, "The cursor is ahead.") }
    for room in rooms.indices where rooms[room].members.contains(user) {
      let last = log[..<end].last { $0.room == room && $0.message != nil }?.message?.position?.rawValue ?? 0
      guard last > rooms[room].delivered[user] ?? 0 else { continue }
      rooms[room].delivered[user] = last
      noteReceipt(in: room, of: user)
    }
  }

  private mutating func noteReceipt(in room: Int, of user: UserID) {
    log.append(StyledServer.Entry(room: room, message: nil, device: 0, user: tellsReceipts ? nil : user))
  }

  private func receipts(in room: Int, for user: UserID) -> [MemberReceipt] {
    rooms[room].members.filter { $0 != user }.map { member in
      let (delivered, read) = (rooms[room].delivered[member] ?? 0, rooms[room].marks[member] ?? 0)
      return MemberReceipt(
        user: member, delivered: mark(max(delivered, read), in: room), read: mark(read, in: room))
    }
  }
}
