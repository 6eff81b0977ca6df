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
        HistoryRange(anchor, limit: limit, head: head), of: conversation, for: asker.user, budget: budget)
    }
    page.epoch = epoch
    return .json(200, page)
  }
}
