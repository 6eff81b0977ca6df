import Skein

extension Story {
  /// Changes an account's contact list on the server.
  func changeContacts(of user: UserID) {
    let contacts = server.contacts(of: user)
    let friends = contacts.present.filter { $0.type == .friend }
    if !contacts.removed.isEmpty, generator.happens(perMille: 600) {
      let back = contacts.removed.filter { $0.type == .friend }
      guard !back.isEmpty else { return }
      let contact = back[generator.below(back.count)]
      begin(.changeContacts, "\(user) has \(contact.name) back")
      server.put(contact, of: user)
    } else if !friends.isEmpty {
      let contact = friends[generator.below(friends.count)]
      if generator.happens(perMille: 300) {
        let settings = ContactSettings(
          isMuted: generator.happens(perMille: 500), isPinned: generator.happens(perMille: 500))
        begin(.changeContacts, "\(user) has \(contact.name) \(settings)")
        server.put(Contact(id: contact.id, type: .friend, name: contact.name, settings: settings), of: user)
      } else {
        begin(.changeContacts, "\(user) removes \(contact.name)")
        ledger.closes(contact.id, of: user)
        server.removeContact(contact.id, of: user)
      }
    }
  }

  /// Leaves a group.
  func leave(_ chat: ConversationID, on device: Device) {
    guard let conversation = device.client?.conversations.conversations.first(where: { $0.id == chat }),
      conversation.type == .group
    else { return }
    begin(.leave, "\(device.name) leaves \(chat.rawValue)")
    if let ref = conversation.ref { ledger.closes(.group(ref), of: device.user) }
    device.perform("leave") { try await $0.conversations.leave(chat) }
  }

  /// Checks that a device has the server's contacts, and shows neither a chat with a removed contact nor a
  /// group that the user is no longer in.
  func checkContacts(of device: Device) {
    guard let client = device.client else { return }
    let expected = server.contacts(of: device.user).present
    let shown = Array(client.contacts.contacts)
    ledger.expect(
      Set(shown) == Set(expected) && shown.count == expected.count, "M1",
      "\(device.name) has the contacts \(shown.map(\.name)), the server \(expected.map(\.name))")
    for conversation in client.conversations.conversations {
      guard let ref = conversation.ref, server.rooms().contains(ref), conversation.invitation == nil,
        device.hasKnownContact(of: ref)
      else {
        continue
      }
      ledger.expect(
        server.shows(ref, to: device.user), "U7", "\(device.name) shows \(ref.rawValue), which is closed")
    }
  }
}
