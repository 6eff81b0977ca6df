import SkeinModel

extension BackendCheck {
  /// The account's contact list.
  static let contacts: [BackendCheck] = [
    BackendCheck(
      .contacts, "A fetch without a version returns the whole contact list, each contact once",
      needs: [.contacts],
      wholeList),
    BackendCheck(
      .contacts, "A diff names the version that it starts from and leads to the current list",
      needs: [.contacts],
      diffs),
    BackendCheck(
      .contacts, "A fetch from an unknown version returns the whole contact list",
      needs: [.contacts],
      unknownVersion),
    BackendCheck(
      .contacts, "A contact that is added or removed changes the list on all devices of the account",
      needs: [.contacts, .editingContacts],
      edits),
    BackendCheck(
      .contacts, "The contact version named by a sync is the version of the fetched list",
      needs: [.contacts],
      namedVersion),
    BackendCheck(
      .contacts, "A change of the contact list is announced, if syncs name its version",
      needs: [.contacts, .editingContacts],
      announced),
    BackendCheck(
      .contacts,
      "Syncs omit the chat of a removed contact, and return all of it when the contact is back",
      needs: [.contacts, .editingContacts],
      removedAndBack),
  ]

  /// Causes changes that may affect an account's contact list, and calls `look` before and after each change.
  private static func live(_ alice: Device, _ look: () async throws -> Void) async throws {
    let stage = alice.stage
    let (bob, carol) = (try await stage.device(), try await stage.device())
    try await look()
    _ = try await alice.open(.direct(bob.user))
    try await look()
    _ = try await carol.open(.direct(alice.user))
    try await look()
    let group = try await bob.open(
      .group(id: stage.word("group"), title: "Climbing", members: [alice.user, carol.user])
    ).ref
    try await look()
    if stage.server is any ContactEditingServer {
      try await stage.removeContact(bob.user, of: alice.user)
      try await look()
      try await stage.addContact(bob.user, of: alice.user)
      try await look()
    }
    if alice.backend.capabilities.leaving != nil {
      try await alice.leave(group)
      try await look()
    }
  }

  private static func wholeList(_ stage: Stage) async throws {
    let alice = try await stage.device()
    try await live(alice) {
      let whole = try await alice.contacts()
      try expect(try await alice.contacts().contacts, is: whole.contacts, "The whole list, fetched again")
    }
  }

  private static func diffs(_ stage: Stage) async throws {
    let alice = try await stage.device()
    var books: [ContactBook] = []
    try await live(alice) {
      let book = try await alice.contacts(since: books.last ?? ContactBook())
      books.append(book)
    }
    let whole = try await alice.contacts()
    for book in books {
      for _ in 1...2 {
        let led = try await alice.contacts(since: book)
        try expect(led.contacts, is: whole.contacts, "The list after the changes since a version")
      }
    }
  }

  private static func unknownVersion(_ stage: Stage) async throws {
    let alice = try await stage.device()
    try await live(alice) {}
    let whole = try await alice.contacts()
    let version = ContactVersion(rawValue: "no version of this server")
    var book = ContactBook()
    try book.take(try await alice.backend.require(\.contacts).contacts(since: version))
    try expect(book.contacts, is: whole.contacts, "The list fetched from an unknown version")
  }

  private static func edits(_ stage: Stage) async throws {
    let (alice, bob) = (try await stage.device(), try await stage.device())
    let devices = [alice, try await stage.device(of: alice.user)]
    var books = [try await devices[0].contacts(), try await devices[1].contacts()]
    for isListed in [true, false, true] {
      if isListed {
        try await stage.addContact(bob.user, of: alice.user)
      } else {
        try await stage.removeContact(bob.user, of: alice.user)
      }
      for (index, device) in devices.enumerated() {
        books[index] = try await device.contacts(since: books[index])
        try expect(
          books[index].holds(.user(bob.user)) == isListed,
          "A contact that was \(isListed ? "added is not" : "removed is still") on the list.")
      }
    }
  }

  private static func namedVersion(_ stage: Stage) async throws {
    let alice = try await stage.device()
    let tablet = try await stage.device(of: alice.user)
    var book = ContactBook()
    var isNamed = false
    try await live(alice) {
      book = try await alice.contacts(since: book)
      let whole = try await tablet.contacts()
      for (device, version) in [(alice, book.version), (tablet, whole.version)] {
        guard let named = try await device.catchUp().contactVersion else { continue }
        isNamed = true
        try expect(named, is: version, "The version named by a sync")
      }
    }
    if !isNamed { throw CheckEnd.skipped(namesNoVersion) }
  }

  private static let namesNoVersion = "The server's syncs don't name the contact list's version."

  private static func announced(_ stage: Stage) async throws {
    let (alice, bob, carol) = (try await stage.device(), try await stage.device(), try await stage.device())
    try await stage.addContact(bob.user, of: alice.user)
    let tablet = try await stage.device(of: alice.user)
    let caught = try await tablet.catchUp()
    if caught.contactVersion == nil { throw CheckEnd.skipped(namesNoVersion) }
    let listener = try await stage.listen(tablet, since: caught.cursor)
    try await stage.addContact(carol.user, of: alice.user)
    let cursor = try await listener.announces(
      version: try await alice.contacts().version, since: caught.cursor)
    try await stage.removeContact(bob.user, of: alice.user)
    _ = try await listener.announces(version: try await alice.contacts().version, since: cursor)
  }

  private static func removedAndBack(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    try await stage.addContact(bob.user, of: alice.user)
    var sent = try await alice.send(2, in: chat) + bob.send(1, in: chat)
    let cursor = try await alice.catchUp().cursor
    try await stage.removeContact(bob.user, of: alice.user)
    // A server may refuse messages from a removed contact.
    sent += (try? await bob.send(1, in: chat)) ?? []
    let meanwhile = try await alice.catchUp(since: cursor)
    for caught in [meanwhile, try await alice.catchUp()] {
      try expect(caught.deltas(of: chat).isEmpty, "A sync contained the chat of a removed contact.")
    }
    try await stage.addContact(bob.user, of: alice.user)
    let texts = try await alice.catchUp(since: meanwhile.cursor).messages(in: chat).texts
    try expect(texts, is: sent.texts, "The messages synced after the contact was back")
  }
}
