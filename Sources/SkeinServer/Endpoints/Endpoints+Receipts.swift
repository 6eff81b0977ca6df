import SkeinSockets
import SkeinStorage
import SkeinWire

extension Endpoints {
  /// `POST /v1/deliveries`
  @Sendable func markDelivered(_ call: Call, _ asker: Asker) async throws -> HTTPResponse {
    let request = try await call.json(Wire.DeliveryRequest.self)
    guard let cursor = SyncCursor(request.cursor, user: asker.user, epoch: epoch) else {
      throw Refusal.badCursor
    }
    _ = try await database.write { transaction in
      guard cursor.base <= (try transaction.newestChange()) else { throw Refusal.badCursor }
      return try transaction.markDelivered(to: asker.user, upTo: cursor.base)
    } committed: { (senders: [Wire.UserID]) in
      pushHub.poke(senders)
    }
    return HTTPResponse(status: 204)
  }
}
