import SkeinSockets
import SkeinStorage
import SkeinWire

extension Endpoints {
  /// `GET /v1/sync`
  @Sendable func sync(_ call: Call, _ asker: Asker) async throws -> HTTPResponse {
    let limit = try call.number("limit", in: 0...200) ?? 50
    let from = call.request.parameter("cursor").map(Wire.Cursor.init(rawValue:))
    let cursor = try from.map { text in
      guard let cursor = SyncCursor(text, user: asker.user, epoch: epoch) else { throw Refusal.badCursor }
      return cursor
    }
    let reader = SyncReader(
      user: asker.user, cursor: cursor ?? .beginning, messages: limit, budget: options.limits.page)
    let (page, contacts) = try await database.read { rows in
      (try reader.page(in: rows), try rows.contactVersion(of: asker.user))
    }
    return .json(
      200,
      Wire.SyncPage(
        from: from, next: page.next.wire(user: asker.user, epoch: epoch), epoch: epoch,
        hasMore: page.next.page != nil, serverTime: now, conversations: page.conversations,
        contactVersion: contactVersion(contacts, of: asker)))
  }
}
