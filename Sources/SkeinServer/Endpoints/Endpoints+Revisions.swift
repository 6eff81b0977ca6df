import SkeinSockets
import SkeinStorage
import SkeinWire

extension Endpoints {
  /// `POST /v1/conversations/{}/revisions`
  @Sendable func reviseMessage(_ call: Call, _ asker: Asker) async throws -> HTTPResponse {
    let conversation = try call.conversation
    let revising = try Revising(
      try await call.json(Wire.RevisionRequest.self), in: conversation, by: asker.user,
      limit: options.limits.content)
    let (_, message) = try await database.write(.powerCut) { [now] transaction in
      try revising.apply(in: transaction, at: now)
    } committed: { (audience: [Wire.UserID], _: Wire.Message) in
      pushHub.poke(audience)
    }
    return .json(200, message)
  }
}
