import SkeinModel

/// A contact list as a device has it: what all answers so far have led to.
struct ContactBook: Sendable {
  /// Nil where nothing was asked yet.
  private(set) var version: ContactVersion?
  /// In the order of what they stand for.
  private(set) var contacts: [Contact] = []

  func holds(_ id: Contact.ID) -> Bool { contacts.contains { $0.id == id } }

  /// Takes an answer in, which has to go on from here.
  mutating func take(_ delta: ContactDelta) throws {
    if delta.isFull {
      try expect(delta.from, is: nil, "The version that a whole list goes on from")
      contacts = []
    } else {
      try expect(version != nil, "Without a version came a diff, and not the whole list.")
      try expect(delta.from, is: version, "The version that a diff goes on from")
    }
    let changed = Set(delta.changed.map(\.id))
    try expect(changed.count == delta.changed.count, "A contact stands twice in one answer.")
    contacts.removeAll { changed.contains($0.id) || delta.removed.contains($0.id) }
    contacts = (contacts + delta.changed).sorted { $0.id.rawValue < $1.id.rawValue }
    version = delta.next
  }
}

extension Device {
  /// Asks what has happened to the contact list, and gives what that leads to.
  func contacts(since book: ContactBook = ContactBook()) async throws -> ContactBook {
    stage.step = "\(user)'s contact list"
    var book = book
    try book.take(try await backend.require(\.contacts).contacts(since: book.version))
    return book
  }

  func leave(_ group: ConversationRef) async throws {
    stage.step = "\(user)'s leave"
    try await backend.require(\.leaving).leave(group)
  }
}
