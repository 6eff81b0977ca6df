/// Loads the messages of one conversation: from the database within a span, and from the server at a gap.
///
/// This type keeps no messages: the ``Intake`` stores the server's pages, and the results are read from the
/// database.
struct ChatMessageListLoader: Sendable {
  let conversation: ConversationID
  let local: LocalMessageLoader
  let remote: RemoteMessageLoader
  private let anchors: BackendCapabilities.HistoryAnchors

  init(conversation: ConversationID, store: ChatStore, backend: any ChatBackend) {
    self.conversation = conversation
    local = LocalMessageLoader(conversation: conversation, store: store)
    remote = RemoteMessageLoader(conversation: conversation, store: store, backend: backend)
    anchors = backend.capabilities.history
  }

  /// Fetches and stores the newest messages of the server.
  func loadNewMessages(limit: Int) async throws {
    _ = try await remote.loadNewMessages(limit: limit)
  }

  /// Returns the newest stored messages.
  func loadStoredMessages(limit: Int, passing: Set<SpanMap.OpenGap>) async throws -> MessagePage {
    try await local.loadMessages(from: .highest, .older, limit: limit, passing: passing)
  }

  /// Returns the stored messages next to a place, up to the next gap. If the server has the conversation, but
  /// no message is stored between the place and the gap, one page of the gap is fetched first. If no part of
  /// the current history is known, loading in the direction `older` fetches the newest messages instead.
  ///
  /// - Parameter passing: gaps at which loading no longer stops.
  /// - Throws: ``FruitlessFill`` if the server returned nothing new, or if the gap can't be requested.
  func loadMessages(
    from anchor: MessageOrder, _ direction: PagingDirection, limit: Int, passing: Set<SpanMap.OpenGap>
  ) async throws -> MessagePage {
    let page = try await local.loadMessages(from: anchor, direction, limit: limit, passing: passing)
    guard page.rows.isEmpty, page.facts.isBound else { return page }
    if let gap = page.stop {
      guard try await remote.loadMessages(in: gap, direction, limit: limit) else {
        throw FruitlessFill(gap: gap)
      }
    } else if page.facts.isUnknown, direction == .older, !passing.contains(.everything) {
      guard try await remote.loadNewMessages(limit: limit) else { throw FruitlessFill(gap: .everything) }
    } else {
      return page
    }
    return try await local.loadMessages(from: anchor, direction, limit: limit, passing: passing)
  }

  /// Returns the messages around a stored message.
  func loadMessages(around id: LocalMessageID, limit: Int, passing: Set<SpanMap.OpenGap>) async throws
    -> MessagePage
  {
    guard let place = try await local.place(of: id) else { throw Self.messageUnknown }
    return try await local.loadMessages(around: place, limit: limit, passing: passing)
  }

  /// Returns the messages around the message with a server id. A message that is not stored is fetched first,
  /// if the backend can return history around a message.
  func loadMessages(around id: ServerMessageID, limit: Int, passing: Set<SpanMap.OpenGap>) async throws
    -> MessagePage
  {
    var place = try await local.place(of: id)
    if place == nil, anchors.contains(.message) {
      _ = try await remote.loadMessages(around: .message(id), limit: limit)
      place = try await local.place(of: id)
    }
    guard let place else { throw Self.messageUnknown }
    return try await local.loadMessages(around: place, limit: limit, passing: passing)
  }

  /// Returns the messages around the first message that is not older than a given time. If all messages are
  /// older, the newest stored messages are returned.
  ///
  /// - Throws: ``FruitlessFill`` if a gap may contain this first message, and the server returned nothing new
  ///   for the gap or the gap can't be requested.
  func loadMessages(around time: Timestamp, limit: Int, passing: Set<SpanMap.OpenGap>) async throws
    -> MessagePage
  {
    while true {
      switch try await local.place(of: time, passing: passing) {
      case .message(let place):
        return try await local.loadMessages(around: place, limit: limit, passing: passing)
      case .afterAll:
        return try await loadStoredMessages(limit: limit, passing: passing)
      case .missing(let gap):
        if let page = try await fetchMessages(around: time, limit: limit, passing: passing) { return page }
        guard let gap else {
          guard try await remote.loadNewMessages(limit: limit) else { throw FruitlessFill(gap: .everything) }
          continue
        }
        guard try await remote.loadMessages(in: gap, .older, limit: limit) else {
          throw FruitlessFill(gap: gap)
        }
      }
    }
  }

  /// Fetches the messages around a time. Returns the stored messages around the first fetched message that is
  /// not older than the time, or around the last fetched message if all are older. Returns nil if the backend
  /// has no history by time, or the server returned no message. Also returns nil if the found message has no
  /// server id, was not stored by the intake, or was deleted here.
  private func fetchMessages(around time: Timestamp, limit: Int, passing: Set<SpanMap.OpenGap>) async throws
    -> MessagePage?
  {
    guard anchors.contains(.time) else { return nil }
    let messages = try await remote.loadMessages(around: .time(time), limit: limit)
    let name = (messages.first { $0.time >= time } ?? messages.last)?.serverID
    guard let name, let place = try await local.place(of: name) else { return nil }
    return try await local.loadMessages(around: place, limit: limit, passing: passing)
  }

  private static var messageUnknown: ChatError {
    ChatError(.messageUnknown, "There is no such message in this conversation.")
  }
}

/// The server returned nothing new for a gap, or the gap can't be requested.
struct FruitlessFill: Error {
  let gap: SpanMap.OpenGap
  /// Whether another request is useless: the server would return the same page, or no request is possible.
  var isFinal = false
}

extension HistoryFacts {
  /// Whether the server has the conversation, but nothing is known of its current history.
  var isUnknown: Bool { isBound && !spans.isKnown }
}
