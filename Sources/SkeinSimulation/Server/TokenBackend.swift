import Skein

/// A server as those see it that give messages no position: pages go on from tokens, and a sync does not say how many
/// messages it left out.
struct TokenBackend: ChatBackend {
  let base: LinkedBackend
  let capabilities: BackendCapabilities

  init(_ base: LinkedBackend) {
    self.base = base
    var capabilities = base.capabilities
    capabilities.ordering = .arrival
    capabilities.readMarks = false
    capabilities.contacts = false
    capabilities.leaving = false
    capabilities.history.remove(.after)
    self.capabilities = capabilities
  }

  func run(since cursor: SyncCursor?, _ receive: BackendReceiver) async throws {
    try await base.run(since: cursor) { event in
      if case .batch(let batch) = event {
        await receive(.batch(Self.shown(batch)))
      } else {
        await receive(event)
      }
    }
  }

  func sync(since cursor: SyncCursor?, limit: Int) async throws -> SyncBatch {
    Self.shown(try await base.sync(since: cursor, limit: limit))
  }

  func history(of conversation: ConversationRef, at anchor: HistoryAnchor, limit: Int) async throws
    -> HistoryPage
  {
    var page = try await base.history(of: conversation, at: Self.meant(anchor), limit: limit)
    page.previous = page.messages.first.flatMap(Self.token(before:))
    page.next = page.messages.last?.position.map { HistoryToken(rawValue: "on from \($0.rawValue)") }
    page.messages = page.messages.map(Self.shown)
    return page
  }

  func send(_ message: OutgoingMessage) async throws -> SendReceipt {
    var receipt = try await base.send(message)
    receipt.position = nil
    return receipt
  }

  func open(_ request: ConversationRequest) async throws -> ConversationInfo {
    Self.shown(try await base.open(request))
  }

  func upload(_ source: UploadSource, resuming token: UploadToken?, report: UploadReporter) async throws
    -> RemoteMedia
  {
    try await base.upload(source, resuming: token, report: report)
  }

  // MARK: What is hidden

  private static func meant(_ anchor: HistoryAnchor) throws -> HistoryAnchor {
    switch anchor {
    case .token(let token):
      let words = token.rawValue.split(separator: " ")
      guard let place = words.last.flatMap({ Int64($0) }) else {
        throw BackendError(.permanent, "This is no token.")
      }
      return words[0] == "on" ? .after(Position(rawValue: place)) : .before(Position(rawValue: place))
    case .before, .after, .around: throw BackendError(.unsupported, "This server has no positions.")
    case .newest, .message, .time: return anchor
    }
  }

  private static func token(before message: IncomingMessage) -> HistoryToken? {
    message.position.map { HistoryToken(rawValue: "back from \($0.rawValue)") }
  }

  private static func shown(_ message: IncomingMessage) -> IncomingMessage {
    var message = message
    message.position = nil
    return message
  }

  private static func shown(_ info: ConversationInfo) -> ConversationInfo {
    var info = info
    info.readPosition = nil
    return info
  }

  private static func shown(_ batch: SyncBatch) -> SyncBatch {
    var batch = batch
    for index in batch.conversations.indices {
      let delta = batch.conversations[index]
      batch.conversations[index] = ConversationDelta(
        info: shown(delta.info), count: delta.count == delta.messages.count ? delta.count : nil,
        messages: delta.messages.map(shown), previous: delta.messages.first.flatMap(token(before:)))
    }
    return batch
  }
}
