public import SkeinModel

extension MatrixBackend {
  /// Fetches the whole contact list: the users of one-to-one chats, and all other rooms as groups.
  ///
  /// Matrix has no versions of such a list. The version is a hash of the list, so that an unchanged list is returned
  /// without contacts; syncs do not name it.
  public func contacts(since version: ContactVersion?) async throws -> ContactDelta {
    let answer = try await polls.get(
      ["sync"],
      [
        ("filter", try SyncFilter.names.unique.text), ("timeout", "0"), ("set_presence", "offline"),
      ], within: options.deadline * 5, as: SyncAnswer.self)
    await directs.learn(answer.directRooms ?? [:])
    let peers = try await directs.peers()
    let groups = answer.joined.filter { peers[$0.ref] == nil }.map { joined in
      Contact(
        id: .group(joined.ref), type: .group, name: Self.name(of: joined.room) ?? joined.ref.rawValue,
        avatar: joined.room.current("m.room.avatar")?.content["url"]?.string)
    }
    let users = Set(answer.joined.compactMap { peers[$0.ref]?.rawValue }).sorted()
    let friends = try await users.mapConcurrently(limit: options.concurrentCalls) {
      try await contact(UserID(rawValue: $0))
    }
    let contacts = friends + groups
    let next = Self.version(of: contacts)
    if version == next { return ContactDelta(from: version, next: next, isFull: false) }
    return ContactDelta(from: nil, next: next, isFull: true, changed: contacts)
  }

  private static func name(of room: JoinedRoom) -> String? {
    let name = room.current(RoomEvent.Kind.name)?.content["name"]?.string
    let alias = room.current("m.room.canonical_alias")?.content["alias"]?.string
    return [name, alias].compactMap(\.self).first { !$0.isEmpty }
  }

  private func contact(_ user: UserID) async throws -> Contact {
    var profile: JSONValue = [:]
    do {
      profile = try await calls.get(["profile", user.rawValue])
    } catch let error as BackendError where error.isMissing {
      // Some homeservers show profiles to nobody else.
    }
    let name = profile["displayname"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    return Contact(
      id: .user(user), type: .friend, name: name ?? user.rawValue, avatar: profile["avatar_url"]?.string)
  }

  private static func version(of contacts: [Contact]) -> ContactVersion {
    var hash = ContentHash()
    for contact in contacts {
      for part in [contact.id.rawValue, contact.name, contact.avatar ?? ""] {
        hash.update(Array("\(part.utf8.count):\(part)".utf8))
      }
    }
    return ContactVersion(rawValue: hash.finish())
  }
}
