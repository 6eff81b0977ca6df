import SkeinSockets
import SkeinStorage
import SkeinWire

extension Endpoints {
  /// `POST /v1/conversations/{}/messages`
  @Sendable func postMessage(_ call: Call, _ asker: Asker) async throws -> HTTPResponse {
    let conversation = try call.conversation
    let request = try await call.json(Wire.MessageRequest.self)
    let posting = try Posting(request, by: asker.user, in: conversation, limit: options.limits.content)
    let message = try await commits.post(posting).message
    return .json(message.isNew ? 201 : 200, message.row.receipt(in: epoch))
  }

  /// `GET /v1/conversations/{}/messages`
  @Sendable func history(_ call: Call, _ asker: Asker) async throws -> HTTPResponse {
    let conversation = try call.conversation
    let limit = try call.number("limit", in: 1...200) ?? 50
    let before = try call.number("before"), after = try call.number("after")
    let around = try call.number("around"), time = try call.number("time")
    let message = call.request.parameter("message")
    try Refusal.require(
      [before, after, around, time].compactMap(\.self).count + (message == nil ? 0 : 1) <= 1,
      "At most one of `before`, `after`, `around`, `message` and `time`.")

    var page = try await database.read { [budget = options.limits.page] transaction in
      let head = try transaction.membership(asker.user, in: conversation).conversation.head
      let anchor: HistoryRange.Anchor =
        if let message {
          .around(try StoredMessage.position(of: message, in: conversation, head: head))
        } else if let before { .before(before) } else if let after { .after(after) } else if let around {
          .around(around)
        } else if let time, let position = try transaction.position(in: conversation, since: time) {
          .around(position)
        } else { .newest }
      return try transaction.page(
        HistoryRange(anchor, limit: limit, head: head), of: conversation, budget: budget)
    }
    page.epoch = epoch
    return .json(200, page)
  }
}

extension ReadTransaction {
  /// The first message at or after a time; the clock may have gone back, so it is the earliest such time.
  fileprivate func position(in conversation: ConversationID, since time: Int64) throws -> Int64? {
    try scalar(
      Int64.self,
      "SELECT position FROM message WHERE conversation = ? AND time >= ? ORDER BY time, position LIMIT 1",
      conversation, time)
  }

  fileprivate func page(
    _ range: HistoryRange, of conversation: ConversationID, budget: Int
  ) throws -> Wire.HistoryPage {
    let rows = try messages(of: conversation, from: range.first, to: range.last)
    let kept = range.kept(sizes: rows.map(\.size), budget: budget)
    return Wire.HistoryPage(
      messages: try wire(rows[kept]), reachesStart: range.reachesStart(dropped: kept.lowerBound),
      reachesEnd: range.reachesEnd(end: kept.upperBound))
  }

  /// The messages between two positions, both included, ascending.
  func messages(of conversation: ConversationID, from first: Int64, to last: Int64) throws -> [StoredMessage]
  {
    try select(
      StoredMessage.self, "WHERE conversation = ? AND position BETWEEN ? AND ? ORDER BY position",
      conversation,
      first,
      last)
  }
}
