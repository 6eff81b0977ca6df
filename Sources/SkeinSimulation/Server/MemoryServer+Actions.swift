#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
package import SkeinModel
import Synchronization

/// How messages are edited, recalled, reacted to, pinned and starred on a ``MemoryServer``.
extension MemoryServer {
  /// Applies a member's action to a message, once for each action id.
  package func perform(_ action: OutgoingAction, by user: UserID) throws -> IncomingMessage {
    try checkReachable()
    let (message, members) = try state.withLock { state in try store(action, by: user, &state) }
    poke(members)
    return message
  }

  private func store(_ action: OutgoingAction, by user: UserID, _ state: inout State) throws
    -> (message: IncomingMessage, members: [UserID])
  {
    guard let room = state.rooms.firstIndex(where: { $0.info.ref == action.conversation.original }),
      let members = state.rooms[room].info.members, members.contains(user),
      let index = action.message.place(in: state.rooms[room].messages.lazy.map(\.message))
    else { throw BackendError(.permanent, "There is no such message.") }
    var stored = state.rooms[room].messages[index]
    if stored.actions.contains(action.id) { return (state.rooms[room].shown(stored, to: user), []) }
    try stored.message.requireContent()
    let now = time ?? Timestamp(milliseconds: Int64(state.change + state.undone))
    defer { state.rooms[room].messages[index] = stored }
    if case .flag(.star, let isSet) = action.action {
      let star = stored.stars[user] ?? MemoryServer.Star()
      state.change += 1
      stored.stars[user] = MemoryServer.Star(
        time: isSet ? star.time ?? now : nil, revision: star.revision + 1, change: state.change)
      stored.actions.insert(action.id)
      state.rooms[room].starredSince[user] = state.change
      return (state.rooms[room].shown(stored, to: user), [user])
    }
    try stored.message.apply(action.action, by: user, at: now)
    state.change += 1
    stored.revised = state.change
    stored.actions.insert(action.id)
    state.rooms[room].change = state.change
    return (state.rooms[room].shown(stored, to: user), members)
  }
}

extension MemoryServer.Room {
  /// The newest change that a user can see.
  func lastChange(for user: UserID) -> Int {
    max(change, shownSince[user] ?? 0, starredSince[user] ?? 0, settingsSince[user] ?? 0)
  }
}

extension MemoryServer.Stored {
  /// The message as a user sees it. The quote of a reply is only a reference, without content.
  func message(for user: UserID) -> IncomingMessage {
    guard let star = stars[user] else { return message }
    var message = message
    message.revision += star.revision
    if message.kind != RecalledContent.kind { message.flags[.star] = star.time }
    return message
  }

  /// Whether a user's sync since a change returns the message among the revised messages, unless the sync
  /// returns the message as new.
  ///
  /// - Parameter isFirst: Whether the sync is the first of its device. A first sync returns only flagged
  ///   messages as revised.
  func isRevised(after change: Int, isFirst: Bool, for user: UserID) -> Bool {
    max(revised, stars[user]?.change ?? 0) > change && (!isFirst || !message(for: user).flags.isEmpty)
  }
}

extension MessageReference {
  /// The index of the referenced message; nil if there is none. The server may have stored the message twice.
  /// The result is then the copy with the referenced server id. If neither copy has that id, the result is
  /// the first copy.
  package func place<Messages: Collection<IncomingMessage>>(in messages: Messages) -> Messages.Index? {
    let named = messages.firstIndex { $0.serverID == serverID && (messageID ?? $0.messageID) == $0.messageID }
    guard let messageID else { return named }
    return named ?? messages.firstIndex { $0.sender == sender && $0.messageID == messageID }
  }
}

extension IncomingMessage {
  /// Throws if the message was recalled.
  fileprivate func requireContent() throws {
    guard kind != RecalledContent.kind else { throw BackendError(.permanent, "The message was recalled.") }
  }

  /// Applies an action to a message on its server; throws if the server refuses the action.
  package mutating func apply(_ action: MessageAction, by user: UserID, at time: Timestamp) throws {
    try requireContent()
    switch action {
    case .edit, .recall:
      guard sender == user else { throw BackendError(.permanent, "It is a message of another user.") }
    case .reaction, .flag: break
    }
    self.revision += 1
    switch action {
    case .edit(let kind, let payload): (self.kind, self.payload, edited) = (kind, payload, time)
    case .recall:
      (kind, payload) = (RecalledContent.kind, Data(#"{"by":"\#(user.rawValue)"}"#.utf8))
      (parameters, reactions, flags, quote) = ([:], [], [:], nil)
      if mentions != nil { mentions = Mentions.nobody }
    case .reaction(let key, let isSet):
      var users = Dictionary((reactions ?? []).map { ($0.key, $0.users) }) { $1 }
      let keys = (reactions ?? []).map(\.key) + (users[key] == nil ? [key] : [])
      users[key, default: []].removeAll { $0 == user }
      if isSet { users[key, default: []].append(user) }
      reactions = keys.compactMap { key in
        users[key].flatMap { $0.isEmpty ? nil : Reaction(key, users: $0) }
      }
    case .flag(let flag, let isSet): flags[flag] = isSet ? flags[flag] ?? time : nil
    }
  }
}
