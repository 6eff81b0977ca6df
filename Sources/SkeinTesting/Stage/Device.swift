#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinModel

/// One device of an account, for use in checks. Each backend call is recorded as the current step of the check.
struct Device: Sendable, Identifiable {
  let id: Int
  let user: UserID
  let backend: any ChatBackend
  let stage: Stage

  /// Whether messages have positions. If messages have no positions, pages continue from tokens.
  var hasPositions: Bool { backend.capabilities.ordering != .arrival }

  /// Returns the texts of a history for a comparison. If messages have positions, the order of the texts is
  /// unchanged. Otherwise the texts are sorted, since pages need not be in the order of arrival.
  func ordered(_ texts: [String]) -> [String] { hasPositions ? texts : texts.sorted() }

  func open(_ request: ConversationRequest) async throws -> ConversationInfo {
    stage.step = "\(user)'s open"
    return try await backend.open(request)
  }

  /// Returns a message with a unique text.
  func text(in conversation: ConversationRef, id: MessageID? = nil) throws -> OutgoingMessage {
    try message(in: conversation, TextContent(stage.word("text")), id: id)
  }

  /// Returns a message with this content, encoded as the engine encodes contents.
  func message(
    in conversation: ConversationRef, _ content: some Encodable, kind: MessageKind = TextContent.kind,
    id: MessageID? = nil, parameters: [String: String] = [:], replyTo: MessageReference? = nil,
    mentions: Mentions = .nobody, isCountable: Bool = true
  ) throws -> OutgoingMessage {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return OutgoingMessage(
      id: id ?? MessageID(rawValue: stage.word("id")), conversation: conversation, kind: kind,
      payload: try encoder.encode(content), parameters: parameters, replyTo: replyTo,
      mentions: mentions, isCountable: isCountable)
  }

  @discardableResult
  func send(_ message: OutgoingMessage) async throws -> SendReceipt {
    stage.step = "\(user)'s send"
    return try await backend.send(message)
  }

  /// Sends a number of texts, one after the other.
  @discardableResult
  func send(_ count: Int, in conversation: ConversationRef) async throws -> [OutgoingMessage] {
    var sent: [OutgoingMessage] = []
    for _ in 0..<count {
      let message = try text(in: conversation)
      try await send(message)
      sent.append(message)
    }
    return sent
  }

  func sync(since cursor: SyncCursor?, limit: Int = 100) async throws -> SyncBatch {
    stage.step = "\(user)'s sync"
    return try await backend.sync(since: cursor, limit: limit)
  }

  /// Syncs until no changes are left.
  func catchUp(since cursor: SyncCursor? = nil, limit: Int = 100) async throws -> CaughtUp {
    var caught = CaughtUp(
      batches: [try await sync(since: cursor, limit: limit)], cursor: SyncCursor(rawValue: ""))
    while let last = caught.batches.last {
      caught.cursor = last.next
      if !last.hasMore { break }
      try expect(caught.batches.count < 1000, "The sync returned hasMore 1000 times.")
      caught.batches.append(try await sync(since: last.next, limit: limit))
    }
    return caught
  }

  func page(of conversation: ConversationRef, at anchor: HistoryAnchor = .newest, limit: Int = 50)
    async throws
    -> HistoryPage
  {
    stage.step = "\(user)'s history"
    return try await backend.history(of: conversation, at: anchor, limit: limit)
  }

  /// Pages back to the start, and returns all messages, the oldest page first.
  func history(of conversation: ConversationRef, limit: Int = 50) async throws -> [IncomingMessage] {
    try await history(of: conversation, before: try await page(of: conversation, limit: limit), limit: limit)
  }

  /// Pages back from a page to the start, and returns the messages of all these pages, the oldest page first.
  func history(
    of conversation: ConversationRef, before page: HistoryPage, limit: Int = 50
  ) async throws -> [IncomingMessage] {
    var (page, messages) = (page, page.messages)
    var pages = 1
    while !page.reachesStart {
      page = try await self.page(of: conversation, at: try anchor(before: page), limit: limit)
      messages = page.messages + messages
      pages += 1
      try expect(pages < 200, "Paging back had not reached the start after 200 pages.")
    }
    return messages
  }

  /// Returns the anchor of the next older page. The check fails if the page has none.
  func anchor(before page: HistoryPage) throws -> HistoryAnchor {
    if hasPositions, let position = page.messages.first?.position { return .before(position) }
    if !hasPositions, let token = page.previous { return .token(token) }
    throw CheckEnd.failed(
      "A page does not reach the start and has \(hasPositions ? "no first position" : "no token") to go back from."
    )
  }

  /// Returns the anchor of the next newer page. If the page has none, the check fails if messages have
  /// positions, and is skipped if pages continue from tokens.
  func anchor(after page: HistoryPage) throws -> HistoryAnchor {
    if hasPositions, let position = page.messages.last?.position { return .after(position) }
    if !hasPositions, let token = page.next { return .token(token) }
    throw hasPositions
      ? CheckEnd.failed("A page does not reach the end and has no last position to go on from.")
      : CheckEnd.skipped("The server's pages have no token for paging forward.")
  }

  /// Performs an action on a message, with a new action id unless `id` is given.
  @discardableResult
  func perform(
    _ message: IncomingMessage, in conversation: ConversationRef, _ action: MessageAction,
    as id: ActionID? = nil
  ) async throws -> IncomingMessage? {
    stage.step = "\(user)'s action"
    return try await backend.require(\.actions?.backend).perform(
      OutgoingAction(
        id: id ?? ActionID(rawValue: stage.word("action")), conversation: conversation,
        message: message.reference, action: action))
  }

  func noteTyping(in conversation: ConversationRef) async throws {
    stage.step = "\(user)'s typing"
    try await backend.require(\.typing).noteTyping(in: conversation)
  }

  func markDelivered(upTo cursor: SyncCursor) async throws {
    stage.step = "\(user)'s delivery"
    try await backend.require(\.deliveryReceipts).markDelivered(upTo: cursor)
  }

  func markRead(_ conversation: ConversationRef, upTo message: IncomingMessage, in epoch: Epoch? = nil)
    async throws
  {
    stage.step = "\(user)'s read mark"
    try await backend.require(\.readMarks).markRead(conversation, upTo: message.mark, in: epoch)
  }
}

extension Device {
  func set(_ setting: ConversationSetting, to isSet: Bool, of conversation: ConversationRef) async throws {
    stage.step = "\(user)'s setting"
    try await backend.require(\.settings?.backend).set(setting, to: isSet, of: conversation)
  }
}

extension [IncomingMessage] {
  /// The contents of the messages as texts, to compare and to show.
  var texts: [String] { map { String(decoding: $0.payload, as: UTF8.self) } }

  /// Returns the only message with this content. The check fails if there is none or more than one.
  func only(_ message: OutgoingMessage, where place: String) throws -> IncomingMessage {
    let found = filter { $0.payload == message.payload }
    try expect(found.count == 1, "A message that was sent once is \(found.count) times in \(place).")
    return found[0]
  }
}

extension [OutgoingMessage] {
  /// The contents of the messages as texts, to compare and to show.
  var texts: [String] { map { String(decoding: $0.payload, as: UTF8.self) } }
}
