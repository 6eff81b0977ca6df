import SkeinStorage

extension ChatTransaction {
  /// Takes in what happened between two cursors; false where it does not go on from the stored one.
  ///
  /// - Parameter isPushed: whether nobody asked for it: it may be late, and of a history that has ended.
  func take(_ batch: SyncBatch, isPushed: Bool = false) throws -> Bool {
    if let epoch = batch.epoch, epoch != account.epoch {
      guard !isPushed || account.epoch == nil else { return false }
      try begin(epoch)
    }
    guard batch.from == account.cursor else { return false }
    for delta in batch.conversations {
      let id = try conversation(for: delta.info)
      try take(delta, in: id, isFirstSync: batch.from == nil)
      // The server has counted what calls this account still, once all that is told was done.
      try takeRevised(delta, in: id)
      try countMentions(delta, in: id)
    }
    account.cursor = batch.next
    noteClock()
    return true
  }

  /// Keeps what the server's clock says for the next start, which may be offline; a second more or less is not worth a write.
  private func noteClock() {
    let offset = store.clock.offset
    let step = offset - .milliseconds(account.clockOffset)
    if max(step, .zero - step) > .seconds(1) { account.clockOffset = offset.milliseconds }
  }

  private func take(_ delta: ConversationDelta, in id: ConversationID, isFirstSync: Bool) throws {
    let missing = delta.count.map { max($0.held(to: Self.countable) - delta.messages.count, 0) }
    guard !delta.messages.isEmpty else {
      if missing ?? 0 > 0 { try show(id) }
      if isFirstSync, delta.count == 0 { try changeSpans(of: id) { $0.foundEmpty() } }
      if missing == 0 { return try countUnread(delta, in: id) }
      return try changeSpans(of: id) { $0.syncedNothing() }
    }
    // Where no gap has room for what came, it stands above everything.
    let hold = missing == 0 ? SpanMap.Hold.sync : try free(delta.messages, in: id)
    guard
      let placement = try place(delta.messages, hold, reachesEnd: true, in: id)
        ?? place(delta.messages, .free(above: spans(of: id).spans.count), reachesEnd: true, in: id)
    else { return }
    try take(delta.messages, placement, in: id, isNews: true)
    guard let stretch = placement.stretch else { return }
    if missing ?? 0 > 0, try stretch.lowerBound > conversation(id).floor { try show(id) }
    let isComplete = missing == 0 && !placement.hasHole
    let reachesStart = isComplete && (isFirstSync || isDenseStart(delta.messages.first))
    let isOwn = placement.isOwnLower
    // How many are missing does not say how many of them count.
    let isCounted = isOwn && missing != 0 && !placement.hasHole && delta.unread != nil
    try changeSpans(of: id) { spans in
      spans.synced(
        first: stretch.lowerBound, last: stretch.upperBound, isComplete: isComplete,
        reachesStart: isOwn && reachesStart, token: isOwn ? delta.previous : nil,
        unreadBelow: isCounted ? missing : nil)
    }
    try countUnread(delta, in: id)
  }

  /// What a sync does not hand over may be all there is to see of a conversation that was deleted here.
  private func show(_ id: ConversationID) throws { try change(id) { $0.isHidden = false } }

  /// What the server counts as unread and is not stored lies in the gaps.
  private func countUnread(_ delta: ConversationDelta, in id: ConversationID) throws {
    guard let unread = delta.unread else { return }
    let mark = try serversMark(delta, id)
    let stored = try rows.countedMessages(in: id, after: mark)
    let total = max(unread.held(to: Self.countable) - stored, 0)
    try changeSpans(of: id) { $0.countUnread(inGaps: total, after: mark) }
  }

  /// Those of the unread messages that call this account and are not stored lie in the gaps.
  private func countMentions(_ delta: ConversationDelta, in id: ConversationID) throws {
    guard let mentions = delta.unreadMentions else { return }
    let stored = try rows.countedMentions(in: id, after: serversMark(delta, id))
    try change(id) { $0.mentionsInGaps = max(mentions.held(to: Self.countable) - stored, 0) }
  }

  /// From where the server counts: the mark it knows, which may be behind this device's own.
  private func serversMark(_ delta: ConversationDelta, _ id: ConversationID) throws -> Rank {
    let row = try conversation(id)
    let isKnown = store.capabilities.readMarks && row.pendingReadMark == nil
    return store.rank(delta.info.readPosition) ?? (isKnown ? row.readMark : .lowest)
  }

  /// What a server may say of counts without being taken for mad.
  private static var countable: ClosedRange<Int> { 0...1_000_000_000 }

  private func isDenseStart(_ message: IncomingMessage?) -> Bool {
    store.ordering == .dense && message?.position == Position(rawValue: 1)
  }

  /// Takes in a page from just below the first message of a span; false where it tells nothing that was not known.
  ///
  /// - Parameter token: what was asked for, on backends with tokens.
  func take(_ page: HistoryPage, below edge: Rank, at token: HistoryToken? = nil, in id: ConversationID)
    throws -> Bool
  {
    // The chat was cleared while the page was on its way, or somebody else has gone on there.
    guard try edge > conversation(id).floor,
      let span = try spans(of: id).spans.first(where: { $0.lower == edge })
    else { return true }
    if let token, span.lowerToken != token { return true }
    return try take(page, .below(edge), in: id)
  }

  /// Takes in a page from just above the last message of a span; false where it tells nothing that was not known.
  func take(_ page: HistoryPage, above edge: Rank, at token: HistoryToken? = nil, in id: ConversationID)
    throws -> Bool
  {
    guard try edge >= conversation(id).floor,
      let span = try spans(of: id).spans.first(where: { $0.upper == edge })
    else { return true }
    if let token, span.upperToken != token { return true }
    return try take(page, .above(edge), in: id)
  }

  /// Takes in a page that stands by itself: the newest messages, or those around a place.
  @discardableResult
  func take(_ page: HistoryPage, in id: ConversationID) throws -> Bool {
    guard page.messages.isEmpty else { return try take(page, free(page.messages, in: id), in: id) }
    if page.reachesStart { try changeSpans(of: id) { $0.foundEmpty() } }
    return page.reachesStart
  }

  private func take(_ page: HistoryPage, _ hold: SpanMap.Hold, in id: ConversationID) throws -> Bool {
    let mark = try conversation(id).readMark
    let known = try spans(of: id).extents
    let before = try rows.countedMessages(in: id, after: mark)
    // The server has counted what the last sync has seen.
    let seen = try spans(of: id).syncedTo ?? .highest
    let mentions = try rows.countedMentions(in: id, after: mark, upTo: seen)
    guard
      let placement = try place(
        page.messages, hold, reachesStart: page.reachesStart, reachesEnd: page.reachesEnd, in: id)
    else { return false }
    try take(page.messages, placement, in: id)
    let new = try rows.countedMessages(in: id, after: mark) - before
    let newMentions = try rows.countedMentions(in: id, after: mark, upTo: seen) - mentions
    if newMentions > 0 { try change(id) { $0.mentionsInGaps = max($0.mentionsInGaps - newMentions, 0) } }
    guard let stretch = placement.stretch else { return false }
    try changeSpans(of: id) { spans in
      spans.paged(
        first: stretch.lowerBound, last: stretch.upperBound,
        reachesStart: placement.isOwnLower && page.reachesStart,
        token: placement.isOwnLower ? page.previous : nil, next: placement.isOwnUpper ? page.next : nil,
        unread: new, after: mark)
    }
    return try spans(of: id).extents != known
  }

  /// Finds where messages come to stand; what was cleared is left out.
  private func place(
    _ messages: [IncomingMessage], _ hold: SpanMap.Hold, reachesStart: Bool = false, reachesEnd: Bool,
    in id: ConversationID
  ) throws -> SpanMap.Placement? {
    let answer = try messages.map { try standing(of: $0, in: id) }
    guard let placement = try spans(of: id).place(answer, hold, reachesStart: reachesStart) else {
      return nil
    }
    // Of what stands by itself nobody knows what follows it.
    let isBounded = reachesEnd || !hold.isFree
    guard try findFloor(of: id, in: messages, placement, isBounded: isBounded) else {
      return SpanMap.Placement(ranks: messages.map { _ in nil })
    }
    return try placement.above(conversation(id).floor)
  }

  /// What goes on from nothing that is known stands below the spans that began after it.
  private func free(_ messages: [IncomingMessage], in id: ConversationID) throws -> SpanMap.Hold {
    guard let end = messages.last?.time else { return .free(above: 0) }
    let last = try spans(of: id).spans.lastIndex { span in
      if span.upper.isEarlier { return true }
      return try rows.firstMessage(of: id, from: span.lower, to: span.upper).map { $0.time <= end } ?? true
    }
    return .free(above: last.map { $0 + 1 } ?? 0)
  }

  private func standing(of message: IncomingMessage, in id: ConversationID) throws -> SpanMap.Standing {
    if let rank = store.rank(message.position) { return .ordered(rank) }
    guard store.ordering == .arrival else {
      throw BackendError(.transient, "The server handed over a message without a position.")
    }
    guard let row = try rows.message(like: message, in: id), row.isPlaced else { return .new }
    // What the server took twice is another message to it: one stands here, and the other says nothing of its place.
    let isCopy = row.serverID.map { message.serverID ?? $0 != $0 } ?? false
    return isCopy ? .copy : .known(row.rank)
  }

  /// Stores the messages that are new, and merges the rest.
  ///
  /// - Parameter isNews: whether they have just come, and are no part of an older history.
  private func take(
    _ messages: [IncomingMessage], _ placement: SpanMap.Placement, in id: ConversationID,
    isNews: Bool = false
  ) throws {
    let mark = try conversation(id).readMark
    var read = mark
    for (message, rank) in zip(messages, placement.ranks) {
      guard let rank else {
        try keepAside(message, in: id)
        continue
      }
      let message = try forgetRevised(message.serverID, in: id)?.applied(to: message) ?? message
      guard let known = try rows.message(like: message, in: id) else {
        var new = row(for: message, at: rank, in: id)
        try relate(&new, as: message)
        try absorbTwin(of: &new)
        try insert(new)
        if isNews { try noteArrival(of: new) }
        continue
      }
      // What was read in an earlier epoch stays read, until the server says how far.
      if mark.isEarlier, known.rank.isEarlier, known.rank <= mark { read = max(read, rank) }
      try merge(message, at: rank, into: known)
    }
    guard read > mark else { return }
    try change(id) { row in
      row.readMark = read
      if store.capabilities.readMarks { row.pendingReadMark = read }
    }
  }

  /// A message by the server's word replaces its own echo, and an older revision of itself, and nothing else.
  func merge(_ message: IncomingMessage, at rank: Rank, into known: MessageRow) throws {
    guard known.status != .sent || known.revision < message.revision || known.rank != rank else {
      return try requote(known, message)
    }
    var row = known
    row.rank = rank
    row.position = message.position
    row.epoch = account.epoch
    row.serverID = message.serverID ?? row.serverID
    row.time = message.time
    row.status = .sent
    row.failure = nil
    // Another epoch counts anew.
    let isCurrent = known.status != .sent || known.rank.isEarlier || known.revision <= message.revision
    if isCurrent { row.take(message) }
    if known.rank.isEarlier {
      // One that failed there may have been written anew before it was sent again.
      row.isMention = isMention(message) && !row.isRecalled
      // What nobody speaks of is not there.
      row.reactions = StoredReactions.encode(message.reactions ?? [])
    }
    try relate(&row, as: message, countsAnew: known.rank.isEarlier)
    if row.isRecalled { try dropRevisions(of: &row) }
    try absorbTwin(of: &row)
    try update(row)
    if known.status != .sent { noteEnd(of: row, as: .sent) }
    try settle(row)
  }

  /// A reply that has not changed may be handed over with what its message says now.
  private func requote(_ known: MessageRow, _ message: IncomingMessage) throws {
    var row = known
    try relate(&row, as: message)
    if StoredQuote.decode(row.quote) != StoredQuote.decode(known.quote) { try update(row) }
  }

  /// Where the server's name for a message stands in another row, both are one message: the one that keeps its row is
  /// the echo, which lists show already. A row that its sender named otherwise is another message, and keeps the name, but
  /// for one of an earlier epoch: names may come up once more.
  func absorbTwin(of row: inout MessageRow) throws {
    guard let server = row.serverID,
      var twin = try rows.first(
        MessageRow.self, "WHERE conversation = ? AND server_id = ? AND id <> ?", row.conversation, server,
        row.id)
    else { return }
    if twin.rank.isEarlier, twin.sender != row.sender || twin.isNamedHere && twin.time != row.time {
      twin.serverID = nil
      return try update(twin)
    }
    guard twin.sender == row.sender, twin.isNamedHere else {
      row.serverID = nil
      return
    }
    if !row.isPlaced { (row.rank, row.position, row.time) = (twin.rank, twin.position, twin.time) }
    row.takeRevisions(of: twin)
    for table in ["operation", "reply"] {
      try rows.execute("UPDATE \(table) SET target = ? WHERE target = ?", row.id, twin.id)
    }
    try rows.execute("UPDATE OR IGNORE reply SET message = ? WHERE message = ?", row.id, twin.id)
    try delete(twin)
  }

  /// Has the last message of what was cleared say how far that reaches, where nothing else does.
  func keepEdge(_ message: IncomingMessage, at floor: Rank, in id: ConversationID) throws {
    let known = try rows.message(like: message, in: id)
    var edge = known ?? row(for: message, at: floor, in: id)
    (edge.rank, edge.isHidden) = (floor, true)
    try known == nil ? insert(edge) : update(edge)
  }

  private func row(for message: IncomingMessage, at rank: Rank, in id: ConversationID) -> MessageRow {
    let local = makeMessageID()
    return MessageRow(
      id: local, conversation: id, rank: rank, serverID: message.serverID,
      messageID: message.messageID ?? MessageRow.name(givenTo: local), sender: message.sender,
      position: message.position, epoch: account.epoch, time: message.time, status: .sent, kind: message.kind,
      payload: message.payload, revision: message.revision, version: nextVersion,
      isCounted: isCounted(message), failureCode: nil, failureMessage: nil,
      parameters: StoredParameters.encode(message.parameters ?? [:]), edited: message.edited,
      reactions: StoredReactions.encode(message.reactions ?? []), pinned: message.pinned,
      isMention: isMention(message))
  }

  private func isCounted(_ message: IncomingMessage) -> Bool {
    message.sender != store.account && store.kinds.isCountable(message.kind)
  }

  private func isMention(_ message: IncomingMessage) -> Bool {
    guard isCounted(message) else { return false }
    let called = message.mentions ?? store.kinds.decode(message.kind, message.payload).mentioned
    return called.include(store.account)
  }
}

extension ReadTransaction {
  /// The row of a message that is known by the server's name for it or by its sender's.
  func message(like message: IncomingMessage, in conversation: ConversationID) throws -> MessageRow? {
    if let id = message.messageID {
      let row = try first(
        MessageRow.self, "WHERE conversation = ? AND sender = ? AND message_id = ?", conversation,
        message.sender, id)
      if let row { return row }
    }
    guard let server = message.serverID,
      let row = try first(MessageRow.self, "WHERE conversation = ? AND server_id = ?", conversation, server)
    else { return nil }
    // One that its sender named otherwise is another message, and so is one of before that another wrote or at another time.
    let isNamed = message.messageID == nil || row.isNamedHere || row.messageID == message.messageID
    let isAtAnotherTime = row.isNamedHere && row.time != message.time
    let isAnother = row.rank.isEarlier && (row.sender != message.sender || isAtAnotherTime)
    return isNamed && !isAnother ? row : nil
  }

  /// How many stored messages after a mark the server counts as unread, those deleted here among them, and none of an
  /// earlier epoch.
  func countedMessages(in conversation: ConversationID, after mark: Rank) throws -> Int {
    try scalar(
      Int.self, "SELECT count(*) FROM message WHERE conversation = ? AND is_counted = 1 AND rank > ?",
      conversation, max(mark, .beforeHistory)) ?? 0
  }

  /// How many of those call this account.
  func countedMentions(in conversation: ConversationID, after mark: Rank, upTo last: Rank = .highest) throws
    -> Int
  {
    try scalar(
      Int.self,
      "SELECT count(*) FROM message WHERE conversation = ? AND is_mention = 1 AND rank > ? AND rank <= ?",
      conversation, max(mark, .beforeHistory), last) ?? 0
  }

  /// The same, without those deleted here.
  func unreadMentions(in conversation: ConversationID, after mark: Rank) throws -> Int {
    try scalar(
      Int.self,
      """
      SELECT count(*) FROM message WHERE conversation = ? AND is_mention = 1 AND rank > ? AND is_hidden = 0
      """, conversation, max(mark, .beforeHistory)) ?? 0
  }

  /// How many stored messages after a mark count, without those deleted here.
  func unreadMessages(in conversation: ConversationID, after mark: Rank) throws -> Int {
    try scalar(
      Int.self,
      """
      SELECT count(*) FROM message WHERE conversation = ? AND is_counted = 1 AND rank > ? AND is_hidden = 0
      """, conversation, max(mark, .beforeHistory)) ?? 0
  }
}
