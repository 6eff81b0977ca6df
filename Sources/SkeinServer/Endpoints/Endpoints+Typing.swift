import SkeinSockets
import SkeinStorage
import SkeinWire

extension Endpoints {
  /// `POST /v1/conversations/{}/typing`
  @Sendable func noteTyping(_ call: Call, _ asker: Asker) async throws -> HTTPResponse {
    let conversation = try call.conversation
    let members = try await database.read { transaction in
      _ = try transaction.membership(asker.user, in: conversation)
      return try transaction.members(of: conversation)
    }
    let frame = Wire.TypingFrame(conversation: conversation.wire, user: asker.user, isTyping: true)
    pushHub.sendTyping(frame, to: members.filter { $0 != asker.user })
    return HTTPResponse(status: 204)
  }
}
