#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage

extension ChatTransaction {
  /// The conversation a request asks for: the one that is here, or a new one that the outbox will open.
  func open(_ request: ConversationRequest) throws -> ConversationID {
    switch request {
    case .direct(let peer):
      if let row = try rows.direct(with: peer) { return try show(row) }
      let id = makeConversationID()
      return try make(
        ConversationRow(new: id, type: .direct, peer: peer, at: store.clock.now), with: [peer])
    case .group(let key, let title, let members):
      if let row = try rows.group(openedUnder: key) { return try show(row) }
      let id = makeConversationID()
      return try make(
        ConversationRow(new: id, type: .group, title: title, openingKey: key, at: store.clock.now),
        with: members)
    }
  }

  /// One that was deleted or closed here is back for who opens it again.
  private func show(_ row: ConversationRow) throws -> ConversationID {
    try change(row.id) { $0.isHidden = false }
    if row.isClosed { try reopen(row.id) }
    return row.id
  }

  private func make(_ row: ConversationRow, with others: [UserID]) throws -> ConversationID {
    try insert(row)
    for member in [store.account] + others { try rows.upsert(MemberRow(conversation: row.id, user: member)) }
    try queueOpening(of: row.id)
    return row.id
  }

  /// The server has the conversation: nothing waits for its opening any more.
  private func endOpening(of id: ConversationID) throws {
    if let opening = try rows.opening(of: id) { try end(opening.id) }
  }

  /// Has the outbox open a conversation, unless it is about to; also one that an earlier operation failed to open, though
  /// the server may have made it: every request for it is the same.
  func queueOpening(of id: ConversationID) throws {
    guard try rows.opening(of: id) == nil else { return }
    let parameters = try JSONEncoder().encode(try openingRequest(of: id))
    try queue(
      OperationRow(
        id: makeOperationID(), conversation: id, kind: .open, message: nil, parameters: parameters,
        needsPreparation: false, attempts: 0, outcomeIsUnknown: false, queued: store.runtime.now()))
  }

  private func openingRequest(of id: ConversationID) throws -> ConversationRequest {
    let row = try conversation(id)
    if let peer = row.peer { return .direct(peer) }
    let key = row.openingKey ?? store.runtime.makeIdentifier()
    if row.openingKey == nil { try change(id) { $0.openingKey = key } }
    let members = try rows.select(MemberRow.self, "WHERE conversation = ? ORDER BY user", id).map(\.user)
    return .group(id: key, title: row.title ?? "", members: members.filter { $0 != store.account })
  }

  /// The server has opened a conversation: it gets the server's name, for good.
  func opened(_ id: OperationID, _ info: ConversationInfo) throws {
    guard let operation = try rows.find(OperationRow.self, id) else { return }
    try end(id)
    let isNews = try conversation(operation.conversation).ref == nil
    if let other = try rows.conversation(named: info.ref), other.id != operation.conversation {
      try merge(other, into: operation.conversation)
    }
    try describe(operation.conversation, info)
    guard info.type == .group, try rows.contact(of: conversation(operation.conversation))?.removed != nil
    else { return }
    // It was made before, and this account has been taken out of it since; unless it was lost, and is made anew.
    let isMember = info.members?.contains(store.account) == true
    if isNews || !isMember { try close(operation.conversation) }
  }

  /// The conversation that the server describes: known by its name, by the other side of a one-to-one chat, or new.
  func conversation(for info: ConversationInfo) throws -> ConversationID {
    var known = try rows.conversation(named: info.ref)
    if known == nil, info.type == .direct, let peer = info.peer, let own = try rows.direct(with: peer) {
      // One that the server knows by another name is another conversation.
      if try conversation(own.id).ref == nil { known = own }
    }
    let id: ConversationID
    if let known {
      id = known.id
    } else {
      id = makeConversationID()
      // With its name and peer, for the same batch may mention either again.
      let peer = try canBePeer(info, of: id) ? info.peer : nil
      try insert(
        ConversationRow(new: id, ref: info.ref, type: info.type, peer: peer, at: store.clock.now))
      try applyContact(to: id)
    }
    try describe(id, info)
    return id
  }

  /// Of several one-to-one chats with the same person, the first is the one that opening it finds.
  private func canBePeer(_ info: ConversationInfo, of id: ConversationID) throws -> Bool {
    guard info.type == .direct, let peer = info.peer, let known = try rows.direct(with: peer) else {
      return true
    }
    return known.id == id
  }

  private func describe(_ id: ConversationID, _ info: ConversationInfo) throws {
    let canBePeer = try canBePeer(info, of: id)
    if try conversation(id).ref == nil { try endOpening(of: id) }
    try change(id) { row in
      row.ref = info.ref
      row.refusal = nil
      row.type = info.type
      row.peer = canBePeer ? info.peer ?? row.peer : nil
      row.title = info.title ?? row.title
      guard let mark = store.rank(info.readPosition) else { return }
      row.readMark = max(row.readMark, mark)
      if let pending = row.pendingReadMark, mark >= pending { row.pendingReadMark = nil }
    }
    try describeMembers(of: id, info)
  }

  private func describeMembers(of id: ConversationID, _ info: ConversationInfo) throws {
    let stored = try rows.select(MemberRow.self, "WHERE conversation = ? ORDER BY user", id)
    let before = Dictionary(stored.map { ($0.user, $0) }) { $1 }
    var known = before
    if let members = info.members {
      let gone = Set(stored.map(\.user)).subtracting(members)
      for row in stored where gone.contains(row.user) {
        _ = try rows.delete(MemberRow.self, id, row.user)
        known[row.user] = nil
      }
      for user in members where known[user] == nil { known[user] = MemberRow(conversation: id, user: user) }
    }
    for receipt in info.receipts ?? [] {
      known[receipt.user]?.delivered.formMax(store.rank(receipt.delivered))
      known[receipt.user]?.read.formMax(store.rank(receipt.read))
    }
    let now = known.values.sorted { $0.user.rawValue < $1.user.rawValue }
    guard now != stored else { return }
    for row in now where row != before[row.user] { try rows.upsert(row) }
    try noteReceiptsOrPins(of: id)
  }

  /// Everything stored is read, at once here and, when it can be told, on the server.
  ///
  /// A message of one's own may have its place before those in front of it are here; they are not read with it.
  func markRead(_ id: ConversationID, tellServer: Bool) throws {
    guard let newest = try spans(of: id).newest,
      let last = try rows.lastAcknowledged(in: id, upTo: newest.upper)
    else { return }
    try change(id) { row in
      guard last > row.readMark else { return }
      row.readMark = last
      if tellServer, !last.isEarlier { row.pendingReadMark = last }
    }
  }
}

extension Rank {
  fileprivate mutating func formMax(_ other: Rank?) { if let other { self = max(self, other) } }
}

extension ReadTransaction {
  func opening(of id: ConversationID) throws -> OperationRow? {
    try first(OperationRow.self, "WHERE conversation = ? AND kind = ?", id, OperationRow.Kind.open)
  }

  /// The group that this device makes, or has made, under a key.
  fileprivate func group(openedUnder key: String) throws -> ConversationRow? {
    try first(ConversationRow.self, "WHERE opening_key = ?", key)
  }

  func conversation(named ref: ConversationRef) throws -> ConversationRow? {
    try first(ConversationRow.self, "WHERE ref = ?", ref)
  }

  func direct(with peer: UserID) throws -> ConversationRow? {
    try first(
      ConversationRow.self, "WHERE peer = ? AND type = 'direct'", peer)
  }
}
