import SkeinSockets
import SkeinWire
import Testing

/// The calls of most tests. A call that does not return an ``Answer`` must succeed.
extension TestClient {
  func direct(_ peer: Wire.UserID) async throws -> Wire.Conversation {
    try await post("conversations", Wire.ConversationRequest.direct(peer: peer)).decoded()
  }

  func group(_ id: String, title: String = "Title", _ members: [Wire.UserID] = []) async throws
    -> Wire.Conversation
  {
    try await post("conversations", Wire.ConversationRequest.group(id: id, title: title, members: members))
      .decoded()
  }

  /// Posts a message and returns the raw answer.
  func message(
    _ id: String, _ content: String = "{}", kind: String = "text",
    parameters: [String: String] = [:], replyTo: Wire.MessageName? = nil,
    mentions: Wire.Mentions? = nil, isCountable: Bool = true, to conversation: Wire.ConversationID
  ) async throws -> Answer {
    try await post(
      "conversations/\(conversation)/messages",
      Wire.MessageRequest(
        id: Wire.MessageID(rawValue: id), kind: kind, content: content, parameters: parameters,
        replyTo: replyTo, mentions: mentions, isCountable: isCountable))
  }

  /// Posts messages with these ids, one after the other.
  func messages(_ ids: [String], to conversation: Wire.ConversationID) async throws {
    for id in ids { try await message(id, to: conversation).expect(201) }
  }

  /// Revises a message and returns the raw answer.
  @discardableResult
  func revise(
    _ message: Wire.MessageID, of sender: Wire.UserID = "ann", in conversation: Wire.ConversationID,
    _ revision: Wire.Revision, as id: String
  ) async throws -> Answer {
    try await post(
      "conversations/\(conversation)/revisions",
      Wire.RevisionRequest(id: id, message: message, sender: sender, revision: revision))
  }

  func history(_ conversation: Wire.ConversationID, _ query: String = "") async throws -> Wire.HistoryPage {
    try await get("conversations/\(conversation)/messages?\(query)").decoded()
  }

  func sync(_ cursor: Wire.Cursor? = nil, limit: Int = 50) async throws -> Wire.SyncPage {
    try await get("sync?limit=\(limit)" + (cursor.map { "&cursor=\($0)" } ?? "")).decoded()
  }

  /// Every page of one sync.
  func wholeSync(_ cursor: Wire.Cursor? = nil, limit: Int = 50) async throws -> [Wire.SyncPage] {
    var pages = [try await sync(cursor, limit: limit)]
    while let last = pages.last, last.hasMore { pages.append(try await sync(last.next, limit: limit)) }
    return pages
  }
}

extension WebSocketConnection {
  /// The next frame other than presence; nil once the socket is closed.
  func frame() async throws -> Wire.SocketFrame? {
    guard let message = try await news() else { return nil }
    return try Wire.decode(Wire.SocketFrame.self, from: message.bytes)
  }

  /// The next message other than presence.
  func news() async throws -> WebSocketMessage? {
    while let message = try await receive() {
      let frame = try? Wire.decode(Wire.SocketFrame.self, from: message.bytes)
      if frame?.type != .presence { return message }
    }
    return nil
  }
}
