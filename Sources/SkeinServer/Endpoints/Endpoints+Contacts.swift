import SkeinSockets
import SkeinStorage
import SkeinWire

extension Endpoints {
  /// `GET /v1/contacts`
  @Sendable func contacts(_ call: Call, _ asker: Asker) async throws -> HTTPResponse {
    // A version that this database did not issue to this user in this epoch is treated as missing.
    let from = call.request.parameter("since").map(Wire.Cursor.init(rawValue:))
    let since = from.flatMap { SyncCursor($0, user: asker.user, epoch: epoch) }?.base
    let page = try await database.read { rows in
      let newest = try rows.contactVersion(of: asker.user)
      let known = since.flatMap { $0 <= newest ? $0 : nil }
      let new =
        if let known {
          try rows.select(
            StoredContact.self, "WHERE user = ? AND change > ? ORDER BY change, id", asker.user, known)
        } else {
          try rows.select(StoredContact.self, "WHERE user = ? AND is_removed = 0 ORDER BY id", asker.user)
        }
      return Wire.ContactPage(
        from: known == nil ? nil : from.map { Wire.ContactVersion(rawValue: $0.rawValue) },
        next: contactVersion(newest, of: asker),
        changed: try new.filter { !$0.isRemoved }.compactMap(rows.wire),
        removed: new.filter(\.isRemoved).map(\.id.wire), epoch: epoch)
    }
    return .json(200, page)
  }

  /// `POST /v1/contacts`
  @Sendable func putContact(_ call: Call, _ asker: Asker) async throws -> HTTPResponse {
    let request = try await call.json(Wire.ContactRequest.self)
    try Refusal.require(
      (request.remark?.unicodeScalars.count ?? 0) <= 128, "A remark has at most 128 characters.")
    guard let id = ContactID(request.contact) else { throw Refusal.notFound }
    let contact = try await database.write(.powerCut) { rows in
      switch id {
      case .user(let user):
        try Refusal.require(user != asker.user, "A user can't be their own contact.")
        guard try rows.find(StoredUser.self, user) != nil else { throw Refusal.unknownUser(user) }
        try rows.addContact(id, of: asker.user)
      case .group(let group): _ = try rows.membership(asker.user, in: group)
      }
      guard var row = try rows.find(StoredContact.self, asker.user, id) else { throw Refusal.notFound }
      let stored = row
      if let remark = request.remark { row.remark = remark.isEmpty ? nil : remark }
      row.isMuted = request.isMuted ?? row.isMuted
      row.isPinned = request.isPinned ?? row.isPinned
      if row != stored {
        row.change = try rows.nextChange()
        _ = try rows.update(row)
      }
      guard let contact = try rows.wire(row) else { throw Refusal.notFound }
      return contact
    } committed: { _ in
      pushHub.poke([asker.user])
    }
    return .json(200, contact)
  }

  /// `DELETE /v1/contacts/{}`
  @Sendable func removeContact(_ call: Call, _ asker: Asker) async throws -> HTTPResponse {
    let user = Wire.UserID(rawValue: call.parameters.first ?? "")
    guard user.isValid else { throw Refusal.notFound }
    _ = try await database.write(.powerCut) { rows in
      try rows.removeContact(.user(user), of: asker.user)
    } committed: { (isGone: Bool) in
      if isGone { pushHub.poke([asker.user]) }
    }
    return HTTPResponse(status: 204)
  }

  /// `DELETE /v1/conversations/{}/membership`
  @Sendable func leaveConversation(_ call: Call, _ asker: Asker) async throws -> HTTPResponse {
    let id = try call.conversation
    _ = try await database.write(.powerCut) { rows -> [Wire.UserID] in
      // Former members and users who never were members receive the same answer.
      guard try rows.find(StoredMember.self, asker.user, id) != nil else { return [] }
      guard try rows.find(StoredConversation.self, id)?.kind == .group else {
        throw Refusal(status: 400, code: .badRequest, message: "Only a group can be left.")
      }
      let members = try rows.members(of: id)
      _ = try rows.delete(StoredMember.self, asker.user, id)
      try rows.execute("UPDATE member SET change = ? WHERE conversation = ?", try rows.nextChange(), id)
      _ = try rows.removeContact(.group(id), of: asker.user)
      return members
    } committed: { (members: [Wire.UserID]) in
      pushHub.poke(members)
    }
    return HTTPResponse(status: 204)
  }

  /// Returns a contact version in its wire form. Like a cursor, a contact version is valid for one user and
  /// one epoch.
  func contactVersion(_ change: Int64, of asker: Asker) -> Wire.ContactVersion {
    Wire.ContactVersion(rawValue: SyncCursor(base: change).wire(user: asker.user, epoch: epoch).rawValue)
  }
}
