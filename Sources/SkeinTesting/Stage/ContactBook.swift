import SkeinModel

/// A device's contact list, built from all answers so far.
struct ContactBook: Sendable {
  /// The version of the last answer; nil before the first answer.
  private(set) var version: ContactVersion?
  /// The epoch of the last answer; nil if the answer states no epoch.
  private(set) var epoch: Epoch?
  /// The contacts, ordered by id.
  private(set) var contacts: [Contact] = []

  func holds(_ id: Contact.ID) -> Bool { contacts.contains { $0.id == id } }

  /// Applies an answer. The check fails if a diff does not start from the current version, if a whole list
  /// names a start version, or if the answer contains a contact twice.
  mutating func take(_ delta: ContactDelta) throws {
    if delta.isFull {
      try expect(delta.from, is: nil, "The version that a whole list starts from")
      contacts = []
    } else {
      try expect(version != nil, "Without a version a diff was returned instead of the whole list.")
      try expect(delta.from, is: version, "The version that a diff starts from")
    }
    let changed = Set(delta.changed.map(\.id))
    try expect(changed.count == delta.changed.count, "An answer contains a contact twice.")
    contacts.removeAll { changed.contains($0.id) || delta.removed.contains($0.id) }
    contacts = (contacts + delta.changed).sorted { $0.id.rawValue < $1.id.rawValue }
    version = delta.next
    epoch = delta.epoch
  }
}

extension Device {
  /// Fetches the changes of the contact list since `book`, and returns the resulting list.
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
