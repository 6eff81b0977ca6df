#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage

/// Finds and creates conversations, and applies the server's descriptions of conversations.
struct ConversationBook {
  private let work: UnitOfWork
  private let openings: ConversationOpenings
  private let ends: ConversationEnds
  private let marks: ServerMarks

  init(_ work: UnitOfWork) {
    self.work = work
    openings = ConversationOpenings(work)
    ends = ConversationEnds(work)
    marks = ServerMarks(work)
  }

  // MARK: Opening

  /// Returns the requested conversation: the stored conversation, or a new conversation that the outbox will
  /// open. Opening the conversation of an invitation accepts the invitation.
  func open(_ request: ConversationRequest) throws -> ConversationID {
    switch request {
    case .direct(let peer):
      if let row = try work.rows.direct(with: peer) { return try show(row) }
      let id = work.makeConversationID()
      return try create(
        ConversationRow(new: id, type: .direct, peer: peer, at: work.store.clock.now), with: [peer])
    case .group(let key, let title, let members):
      if let row = try work.rows.group(openedUnder: key) { return try show(row) }
      let id = work.makeConversationID()
      return try create(
        ConversationRow(new: id, type: .group, title: title, openingKey: key, at: work.store.clock.now),
        with: members)
    case .invitation(let ref):
      guard let row = try work.rows.conversation(named: ref),
        try isOpenOrDeclined(row)
      else {
        throw ChatError(.conversationUnknown, "There is no such invitation in this database.")
      }
      return try show(row)
    }
  }

  /// Whether a conversation is open, or an invitation whose declining the server has not confirmed.
  private func isOpenOrDeclined(_ row: ConversationRow) throws -> Bool {
    guard row.isClosed else { return true }
    return try row.invitation != nil && work.rows.leaving(row.id) != nil
  }

  /// Lists a conversation again if it was deleted here, and reopens the conversation if it was closed.
  private func show(_ row: ConversationRow) throws -> ConversationID {
    try work.change(row.id) { $0.isHidden = false }
    if row.invitation != nil, try isOpenOrDeclined(row) {
      try Invitations(work).accept(row.id)
    } else if row.isClosed {
      try work.change(row.id) { $0.invitation = nil }
      try ends.reopen(row.id)
    }
    return row.id
  }

  private func create(_ row: ConversationRow, with others: [UserID]) throws -> ConversationID {
    try work.insert(row)
    try ContactRecords(work).applySettings(to: row.id)
    for member in [work.store.account] + others {
      try work.rows.upsert(MemberRow(conversation: row.id, user: member))
    }
    try openings.queueOpening(of: row.id)
    return row.id
  }

  /// Ends an opening that the server has completed: the conversation gets the ref that the server returned.
  /// Does nothing if the operation does not exist any more.
  func completeOpening(_ id: OperationID, _ info: ConversationInfo) throws {
    guard let operation = try work.rows.find(OperationRow.self, id) else { return }
    try work.end(id)
    let conversation = operation.conversation
    let before = try work.row(of: conversation)
    let isNews = before.ref == nil
    var answer = info
    // Syncs describe a conversation that is opened again, and may be newer than this answer.
    if before.ref == info.ref, before.invitation == nil {
      answer = ConversationInfo(ref: info.ref, type: info.type)
    }
    if let other = try work.rows.conversation(named: info.ref), other.id != conversation {
      try Invitations(work).noteJoining(of: other.id)
      if !other.isClosed {
        try work.change(conversation) { ($0.invitation, $0.inviter) = (other.invitation, other.inviter) }
      }
      let members = try work.rows.members(of: other.id).map(\.user)
      if !other.isClosed, other.invitation == nil {
        answer = ConversationInfo(
          ref: info.ref, type: info.type, title: other.title ?? info.title,
          members: members.isEmpty ? info.members : members)
      }
      try ConversationMerge(work).merge(other, into: conversation)
    }
    try describe(conversation, answer)
    // Opening an own group does not readmit a former member, who may be invited again.
    let isMember = info.members?.contains(work.store.account) == true
    let isAccepted = try work.row(of: conversation).invitation == .accepted
    if isAccepted || isMember || info.members == nil {
      try Invitations(work).noteAcceptance(of: conversation)
    } else if try work.row(of: conversation).invitation != nil {
      try Invitations(work).holdWaitingMessages(of: conversation)
    }
    guard info.type == .group, try work.rows.contact(of: work.row(of: conversation))?.removed != nil
    else { return }
    // The group was removed from the contact list. Two reasons are possible: this account was removed from
    // the group, or the server had lost the group and has now created it again. If the group had a ref before
    // and this account is a member, the second reason is assumed, and the group stays open.
    if try isAccepted || work.row(of: conversation).invitation != nil { return }
    if isNews || !isMember { try ends.close(conversation) }
  }

  // MARK: Describing

  /// Finds or creates the conversation that the server describes, and applies the description. The
  /// conversation is found by its ref, or by the ref that it replaces. A one-to-one chat without a stored ref is
  /// found by its peer.
  ///
  /// - Parameter isInvitation: whether the account is only invited. A chat that this device opens is then another
  ///   conversation, until the server returns the same ref for it.
  func findOrCreate(_ info: ConversationInfo, isInvitation: Bool = false) throws -> ConversationID {
    var known =
      try isInvitation
      ? work.rows.conversation(named: info.ref) : ConversationReplacement(work).findContinued(info)
    if known == nil, !isInvitation, info.type == .direct, let peer = info.peer,
      let own = try work.rows.direct(with: peer)
    {
      // A chat with this user that has another ref is another conversation.
      if try work.row(of: own.id).ref == nil { known = own }
    }
    let id: ConversationID
    if let known {
      id = known.id
    } else {
      id = work.makeConversationID()
      // The row gets its ref and peer at once. The same batch may mention the conversation again, by ref or
      // by peer.
      let peer = try canBePeer(info, of: id) ? info.peer : nil
      try work.insert(
        ConversationRow(new: id, ref: info.ref, type: info.type, peer: peer, at: work.store.clock.now))
      try applyContact(to: id)
    }
    try describe(id, info)
    return id
  }

  /// Applies the state of a stored contact to the contact's new conversation: removed, muted or pinned.
  private func applyContact(to id: ConversationID) throws {
    guard let contact = try work.rows.contact(of: try work.row(of: id)) else { return }
    try work.change(id) { row in
      row.isClosed = contact.removed != nil
      if let settings = contact.settings { row.adopt(settings, except: work.store.capabilities.settings) }
    }
  }

  /// Whether the row of a chat may store the peer. If several chats have the same peer, only the first of
  /// these chats stores the peer, so that ``open(_:)`` finds the first chat.
  private func canBePeer(_ info: ConversationInfo, of id: ConversationID) throws -> Bool {
    guard info.type == .direct, let peer = info.peer, let known = try work.rows.direct(with: peer) else {
      return true
    }
    return known.id == id
  }

  private func describe(_ id: ConversationID, _ info: ConversationInfo) throws {
    let canBePeer = try canBePeer(info, of: id)
    let before = try work.row(of: id)
    if before.ref == nil { try openings.endOpening(of: id) }
    try work.change(id) { row in
      row.ref = info.ref
      row.refusal = nil
      row.type = info.type
      row.peer = canBePeer ? info.peer ?? row.peer : nil
      row.title = info.title ?? row.title
      row.adopt(info.settings, of: work.store.capabilities.settings)
    }
    if let mark = info.readMark { try marks.read(upTo: mark, in: id) }
    // The same batch may mention the conversation again, by its new ref or peer.
    let row = try work.row(of: id)
    if row.ref != before.ref || row.peer != before.peer { try work.save(id) }
    // The contact list may have reported the contact before the conversation had its ref.
    if row.contactID != before.contactID { try ContactRecords(work).applySettings(to: id) }
    try describeMembers(of: id, info)
  }

  /// Applies the server's list of all muted conversations.
  func noteMuted(_ refs: [ConversationRef]) throws {
    let supported = work.store.capabilities.settings
    let muted = Set(refs)
    for row in try work.rows.conversationsMutedOnServer() {
      guard let ref = row.ref, !muted.contains(ref) else { continue }
      try work.change(row.id) { $0.adopt(ConversationSettings(isMuted: false), of: supported) }
    }
    for ref in refs {
      guard let row = try work.rows.conversation(named: ref) else { continue }
      try work.change(row.id) { $0.adopt(ConversationSettings(isMuted: true), of: supported) }
    }
  }

  private func describeMembers(of id: ConversationID, _ info: ConversationInfo) throws {
    let stored = try work.rows.members(of: id)
    let before = Dictionary(stored.map { ($0.user, $0) }) { $1 }
    var known = before
    if let members = info.members {
      let gone = Set(stored.map(\.user)).subtracting(members)
      for row in stored where gone.contains(row.user) {
        _ = try work.rows.delete(MemberRow.self, id, row.user)
        known[row.user] = nil
      }
      for user in members where known[user] == nil { known[user] = MemberRow(conversation: id, user: user) }
    }
    for receipt in info.receipts ?? [] {
      guard var row = known[receipt.user] else { continue }
      try marks.moveMarks(of: &row, to: receipt)
      known[receipt.user] = row
    }
    let now = known.values.sorted { $0.user.rawValue < $1.user.rawValue }
    guard now != stored else { return }
    for row in now where row != before[row.user] { try work.rows.upsert(row) }
    try work.note(.receipts, of: id)
  }

  // MARK: Reading

  /// Marks the stored messages up to the end of the newest span as read here. If `tellsServer` is true,
  /// messages of the current epoch are later marked as read on the server too.
  ///
  /// The server may accept an own message while older messages are still missing here. The missing messages stay
  /// unread.
  func markRead(_ id: ConversationID, tellsServer: Bool) throws {
    try work.change(id) { if $0.isMarkedUnread { $0.set(.markedUnread, to: false) } }
    guard let newest = try work.spans(of: id).newest,
      let last = try work.rows.lastAcknowledged(in: id, upTo: newest.upper)
    else { return }
    try work.change(id) { row in
      guard last > row.readMark else { return }
      row.readMark = last
      // No gap lies above the end of the newest span.
      row.mentionsInGaps = 0
      if tellsServer, !last.isEarlier { row.pendingReadMark = last }
    }
  }
}
