import SkeinStorage

/// The contact list of an account, sorted by name.
///
/// ``contacts`` can be read from any isolation; applying each change of ``changes`` to the list gives the next list.
public final class ContactList: Sendable {
  private let list: StoredList<StoredContacts>

  init(store: ChatStore) {
    list = StoredList(of: StoredContacts(), in: store, sortedBy: Contact.isOrderedBefore)
  }

  /// Ends every loop over ``changes``; the list does not change any more.
  func close() { list.close() }

  /// Loads the stored contacts, unless they are already loaded; the list does so itself when it is created.
  ///
  /// - Throws: `StorageError` if the database can't be read.
  public func open() async throws { try await list.open() }

  /// The current list; empty until it is loaded.
  public var contacts: ListSnapshot<Contact> { list.publisher.snapshot }

  /// Returns the contacts whose name, remark or user id contains a text, in the list's order, ignoring case.
  public func named(_ text: String) -> [Contact] {
    let wanted = text.lowercased()
    return contacts.filter { contact in
      contact.searchableNames.contains { $0.lowercased().contains(wanted) }
    }
  }

  /// The changes of ``contacts``; each loop over it is a listener of its own.
  public var changes: ListUpdates<Contact> { list.publisher.updates(of: self) }
}

private struct StoredContacts: StoredListSource {
  func stored(in store: ChatStore) async throws -> [Contact] {
    try await store.read {
      try $0.contacts().map(\.contact)
    }
  }

  func step(for changes: StoreChanges) -> (inserting: [Contact], deleting: [Contact.ID])? {
    changes.contacts.isEmpty ? nil : (changes.contacts.changed, changes.contacts.removed)
  }
}
