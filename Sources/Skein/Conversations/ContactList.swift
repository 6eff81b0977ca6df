import SkeinStorage

/// The contact list of an account, sorted by ``Contact/shownName``.
///
/// ``contacts`` can be read from any isolation. To get the next list, apply the next change of ``changes`` to the
/// current list.
public final class ContactList: Sendable {
  private let list: StoredList<StoredContacts>

  init(store: ChatStore) {
    list = StoredList(of: StoredContacts(), in: store, pageSize: .max, sortedBy: Contact.isOrderedBefore)
  }

  /// Ends every loop over ``changes``. Afterwards the list no longer changes.
  func close() { list.close() }

  /// Loads the stored contacts if they are not loaded yet. A new list also loads the contacts by itself.
  ///
  /// - Throws: `StorageError` if the database can't be read.
  public func open() async throws { try await list.open() }

  /// The current list; empty until the stored contacts are loaded.
  public var contacts: ListSnapshot<Contact> { list.publisher.snapshot }

  /// Returns the contacts whose name, remark or user id contains a text, in the order of the list. Case is
  /// ignored.
  public func named(_ text: String) -> [Contact] {
    let wanted = text.lowercased()
    return contacts.filter { contact in
      contact.searchableNames.contains { $0.lowercased().contains(wanted) }
    }
  }

  /// The changes of ``contacts``. Each loop over the changes is a separate listener.
  public var changes: ListUpdates<Contact> { list.publisher.updates(of: self) }
}

private struct StoredContacts: StoredListSource {
  func firstStored(in store: ChatStore, limit: Int) async throws -> [Contact] { try await stored(in: store) }

  func stored(in store: ChatStore) async throws -> [Contact] {
    try await store.read {
      try $0.contacts().map(\.contact)
    }
  }

  func step(for changes: StoreChanges) -> (inserting: [Contact], deleting: [Contact.ID])? {
    changes.contacts.isEmpty ? nil : (changes.contacts.changed, changes.contacts.removed)
  }
}
