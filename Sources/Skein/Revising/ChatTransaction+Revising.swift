#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage

/// A revision as the outbox keeps it.
struct StoredRevision: Codable, Equatable {
  let id: RevisionID
  var revision: MessageRevision
}

/// What people do to messages that exist: it shows at once, and waits in the outbox for the server.
extension ChatTransaction {
  /// Replaces what one's own message says: of one that no attempt has carried here and now, of another on the server.
  ///
  /// - Parameter mentions: whom the new content calls, as they are stored.
  func edit(
    _ id: LocalMessageID, _ kind: MessageKind, _ payload: Data, _ mentions: Data?, as name: RevisionID
  ) throws {
    var row = try revisable(id, ownFor: "edit")
    guard try isFrozen(row) else {
      (row.kind, row.payload, row.mentions) = (kind, payload, mentions)
      return try update(row)
    }
    try queueRevision(StoredRevision(id: name, revision: .edit(kind, payload: payload)), of: row)
  }

  /// Takes one's own message back from everybody. One that the server can't have is cancelled.
  ///
  /// - Returns: the name of the message, where nothing is left of it.
  func recall(_ id: LocalMessageID, as name: RevisionID) throws -> MessageID? {
    let row = try revisable(id, ownFor: "recall")
    let mayBeThere =
      switch row.status {
      case .sent, .uncertain: true
      case .failed: false
      case .queued, .sending: try rows.operations(of: id).contains(where: \.mayHaveArrived)
      }
    guard mayBeThere else { return try cancel(id).message }
    try queueRevision(StoredRevision(id: name, revision: .recall), of: row)
    return nil
  }

  /// Reacts to a message that the server has, or does so no more.
  func react(_ key: ReactionKey, to id: LocalMessageID, isSet: Bool, as name: RevisionID) throws {
    let row = try revisable(id)
    guard row.status == .sent else {
      throw ChatError(.notPossibleNow, "Nobody can react to a message that was not sent.")
    }
    let shown = row.message(for: store.account, kinds: store.kinds).reactions
    guard shown.contains(where: { $0.key == key && $0.isBy(store.account) }) != isSet else { return }
    try queueRevision(StoredRevision(id: name, revision: .reaction(key, isSet: isSet)), of: row)
  }

  /// Pins a message that the server has, or does so no more.
  func pin(_ id: LocalMessageID, isSet: Bool, as name: RevisionID) throws {
    let row = try revisable(id)
    guard row.status == .sent else {
      throw ChatError(.notPossibleNow, "Nobody can pin a message that was not sent.")
    }
    guard row.isPinnedHere != isSet else { return }
    try queueRevision(StoredRevision(id: name, revision: .pin(isSet: isSet)), of: row)
  }

  /// The message, if it may be revised.
  ///
  /// - Parameter deed: what only its sender may do.
  private func revisable(_ id: LocalMessageID, ownFor deed: String? = nil) throws -> MessageRow {
    let row = try rows.message(id)
    if row.isHidden { throw ChatError(.messageUnknown, "This message was deleted on this device.") }
    if let deed, row.sender != store.account {
      throw ChatError(.notPossibleNow, "Only its sender can \(deed) a message.")
    }
    if row.isRecalledHere { throw ChatError(.notPossibleNow, "The message was recalled.") }
    return row
  }

  /// Whether the bytes of a message are fixed: the server may have them, or they are being made ready for it. What surely
  /// did not get through has not left.
  private func isFrozen(_ row: MessageRow) throws -> Bool {
    switch row.status {
    case .failed: return false
    case .sent, .uncertain: return true
    case .queued, .sending:
      guard let operation = try rows.operations(of: row.id).first else { return true }
      return operation.mayHaveArrived || operation.needsPreparation || operation.kind == .forward
    }
  }

  private func queueRevision(_ new: StoredRevision, of row: MessageRow) throws {
    try checkOpen(row.conversation)
    guard store.capabilities.revisions.contains(new.revision.ability) else {
      throw ChatError(.unsupported, "The server can't do this to a message.")
    }
    let isAbsorbed = try absorbed(new, of: row)
    if !isAbsorbed {
      // A server that was set back may have lost it: then it is made anew, and says what it knows of the message.
      if try conversation(row.conversation).ref == nil { try queueOpening(of: row.conversation) }
      try queue(
        OperationRow(
          id: makeOperationID(), conversation: row.conversation, kind: .revise, message: nil,
          parameters: try JSONEncoder().encode(new), needsPreparation: false, attempts: 0,
          outcomeIsUnknown: false, queued: store.runtime.now(),
          dependsOn: row.status == .sent ? nil : row.id, target: row.id))
    }
    try showRevisions(of: row.id)
  }

  /// What waits and was never tried takes up what follows: a second edit replaces the first, who takes back what they did a
  /// moment ago has done nothing, and of a message that is recalled nothing else matters.
  ///
  /// - Returns: whether nothing is left to queue.
  private func absorbed(_ new: StoredRevision, of row: MessageRow) throws -> Bool {
    for var operation in try rows.revisions(of: row.id).reversed() where operation.attempts == 0 {
      guard var waiting = operation.revision else { continue }
      switch (waiting.revision, new.revision) {
      case (.edit, .edit):
        waiting.revision = new.revision
        operation.parameters = try JSONEncoder().encode(waiting)
        _ = try rows.update(operation)
        return true
      case (_, .recall): try end(operation.id)
      case (.reaction(let key, let wasSet), .reaction(let same, let isSet))
      where key == same && wasSet != isSet:
        try end(operation.id)
        return true
      case (.pin(let wasSet), .pin(let isSet)) where wasSet != isSet:
        try end(operation.id)
        // Others may have pinned it meanwhile, or unpinned.
        return try isPinned(row.id) == isSet
      default: continue
      }
    }
    return false
  }

  /// Whether a message is pinned once what is left in the outbox is through.
  private func isPinned(_ id: LocalMessageID) throws -> Bool {
    let left = PendingRevisions(try rows.revisions(of: id).compactMap(\.revision?.revision))
    return try left.pin ?? (rows.message(id).pinned != nil)
  }

  // MARK: On the way

  /// Begins an attempt; nil where nothing is left to revise.
  func beginRevising(_ operation: OperationRow) throws -> OutgoingRevision? {
    var operation = operation
    guard let target = operation.target, let stored = operation.revision,
      let row = try rows.find(MessageRow.self, target)
    else {
      try end(operation.id)
      return nil
    }
    // After the server was set back it is found again first.
    guard let ref = try conversation(row.conversation).ref else {
      throw BackendError(.transient, "The conversation is to be opened again first.")
    }
    operation.attempts += 1
    _ = try rows.update(operation)
    return OutgoingRevision(
      id: stored.id, conversation: ref, message: row.reference, revision: stored.revision)
  }

  /// The server has taken a revision.
  ///
  /// - Parameter message: the message as the server has it now; nil where it does not say.
  func revised(_ id: OperationID, _ message: IncomingMessage?) throws {
    guard let operation = try rows.find(OperationRow.self, id) else { return }
    try end(id)
    guard let target = operation.target, var row = try rows.find(MessageRow.self, target) else { return }
    if let message, row.rank.isEarlier {
      // It finds its place in the server's new history with those around it.
      row.take(message)
      if row.isRecalled { try dropRevisions(of: &row) }
      try update(row)
    } else if let message {
      try merge(message, at: store.rank(message.position) ?? row.rank, into: row)
    } else if let stored = operation.revision {
      row.apply(stored.revision, by: store.account, at: store.clock.now)
      try update(row)
    }
    try showRevisions(of: target)
  }

  /// The server does not take a revision, and will not: the message is as it was, and says why.
  func refuse(_ operation: OperationRow, _ failure: SendFailure) throws {
    guard let target = operation.target else { return }
    try showRevisions(of: target, failure)
  }

  /// Has the row say what waits for it.
  private func showRevisions(of id: LocalMessageID, _ failure: SendFailure? = nil) throws {
    guard var row = try rows.find(MessageRow.self, id) else { return }
    row.pending = PendingRevisions.encode(try rows.revisions(of: id).compactMap(\.revision?.revision))
    if row.status == .sent { row.failure = failure }
    try update(row)
  }

  /// A message is sent again: what waits for it takes its place behind it.
  func waitAgain(for id: LocalMessageID) throws {
    for operation in try rows.revisions(of: id) {
      try end(operation.id)
      try queue(
        OperationRow(
          id: makeOperationID(), conversation: operation.conversation, kind: .revise, message: nil,
          parameters: operation.parameters, needsPreparation: false, attempts: 0, outcomeIsUnknown: false,
          queued: operation.queued, dependsOn: id, target: id))
    }
  }

  // MARK: Their target

  /// Nothing that waits for a recalled message has a meaning any more.
  func dropRevisions(of row: inout MessageRow) throws {
    row.pending = nil
    for operation in try rows.revisions(of: row.id) { try end(operation.id) }
  }

  /// What waits for a message that does not go any more: its edits become what it says, reactions have nothing to stand on.
  ///
  /// - Returns: whether it was to be recalled, so that nothing is left of it.
  func foldRevisions(into row: inout MessageRow) throws -> Bool {
    let waiting = try rows.revisions(of: row.id).compactMap(\.revision?.revision)
    let folded = PendingRevisions(waiting)
    try dropRevisions(of: &row)
    if let edit = folded.edit {
      (row.kind, row.payload) = (edit.kind, edit.payload)
      row.mentions = store.kinds.decode(edit.kind, edit.payload).mentioned.stored
    }
    return folded.isRecalled
  }
}

extension ReadTransaction {
  /// What waits to be done to a message, in the order in which it was asked for.
  func revisions(of message: LocalMessageID) throws -> [OperationRow] {
    try select(OperationRow.self, "WHERE target = ? ORDER BY id", message)
  }
}

extension OperationRow {
  /// What it does to its target.
  var revision: StoredRevision? {
    kind == .revise
      ? parameters.flatMap { try? JSONDecoder().decode(StoredRevision.self, from: $0) } : nil
  }
}

extension MessageRow {
  /// Another row turned out to be the same message: what was done to it there is not lost.
  mutating func takeRevisions(of twin: MessageRow) {
    pending = pending ?? twin.pending
    quote = quote ?? twin.quote
    guard twin.revision > revision else { return }
    (kind, payload, parameters) = (twin.kind, twin.payload, twin.parameters)
    (edited, reactions, pinned, revision) = (twin.edited, twin.reactions, twin.pinned, twin.revision)
    if isRecalled { (quote, isMention) = (nil, false) }
  }

  /// What a revision makes of the message, where the server does not say.
  mutating func apply(_ revision: MessageRevision, by user: UserID, at time: Timestamp) {
    switch revision {
    case .edit(let kind, let payload): (self.kind, self.payload, edited) = (kind, payload, time)
    case .recall:
      kind = RecalledContent.kind
      payload = RecalledContent.payload(by: user)
      (reactions, pinned, quote, isMention) = (nil, nil, nil, false)
    case .reaction(let key, let isSet):
      reactions = StoredReactions.encode(
        StoredReactions.decode(reactions).setting(key, by: user, to: isSet))
    case .pin(let isSet): pinned = isSet ? time : nil
    }
  }
}

extension MessageRevision {
  /// What a server must be able to do for it.
  var ability: BackendCapabilities.Revisions {
    switch self {
    case .edit: .edits
    case .recall: .recalls
    case .reaction: .reactions
    case .pin: .pins
    }
  }
}
