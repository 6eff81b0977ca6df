import SkeinSockets
import SkeinStorage
import SkeinWire

extension Endpoints {
  /// `POST /v1/conversations/{}/settings`
  @Sendable func changeSettings(_ call: Call, _ asker: Asker) async throws -> HTTPResponse {
    let id = try call.conversation
    let request = try await call.json(Wire.ConversationSettings.self)
    let (_, settings) = try await database.write(.powerCut) { transaction in
      let (_, member) = try transaction.membership(asker.user, in: id)
      var row = member
      row.change(request)
      guard row.settings != member.settings else { return ([], row.settings) }
      row.change = try transaction.nextChange()
      _ = try transaction.update(row)
      return ([asker.user], row.settings)
    } committed: { (changed: [Wire.UserID], _: Wire.ConversationSettings) in
      pushHub.poke(changed)
    }
    return .json(200, settings)
  }
}

extension StoredMember {
  /// The settings in wire form, all of them.
  var settings: Wire.ConversationSettings {
    Wire.ConversationSettings(isMuted: isMuted, isPinned: isPinned, isMarkedUnread: isMarkedUnread)
  }

  /// Changes the settings that a request contains.
  fileprivate mutating func change(_ request: Wire.ConversationSettings) {
    isMuted = request.isMuted ?? isMuted
    isPinned = request.isPinned ?? isPinned
    isMarkedUnread = request.isMarkedUnread ?? isMarkedUnread
  }
}
