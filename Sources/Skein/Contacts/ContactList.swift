import SkeinStorage

/// The contact list of an account, by name.
///
/// ``contacts`` reads from any isolation; applying each change of ``changes`` to the list before it gives the list after it.
public final class ContactList: Sendable {
  private let publisher: ListPublisher<Contact>
  private let store: ChatStore
  private let subscription: ChangeFeed.Subscription
  private let following: Task<Void, any Error>
  private let follower: ContactListFollower

  init(store: ChatStore) {
    self.store = store
    let follower = ContactListFollower(store: store)
    self.follower = follower
    publisher = follower.publisher
    subscription = store.feed.subscribe { [inbox = follower.inbox] changes in
      if !changes.contacts.isEmpty { inbox.add(changes) }
    }
    following = store.runtime.spawn { await follower.run() }
  }

  deinit { close() }

  /// Ends every loop over ``changes``; the list stays as it is.
  func close() {
    store.feed.unsubscribe(subscription)
    following.cancel()
    publisher.close()
  }

  /// Loads the stored contacts, if that has not happened yet; the list does so by itself when it is made.
  ///
  /// - Throws: `StorageError` if the database can't be read.
  public func open() async throws { try await follower.open() }

  /// The list as it is now; empty until it is loaded.
  public var contacts: ListSnapshot<Contact> { publisher.snapshot }

  /// The steps by which ``contacts`` changes; each loop over it is a listener of its own.
  public var changes: ListUpdates<Contact> { publisher.updates(of: self) }
}

/// Reads the stored list once and follows the feed from there.
private actor ContactListFollower {
  nonisolated let publisher = ListPublisher<Contact>()
  nonisolated let inbox = ChangeInbox()
  private let store: ChatStore
  private var list = ChatDataManager<Contact>(sortedBy: Contact.isOrderedBefore)
  private var isLoaded = false

  init(store: ChatStore) { self.store = store }

  func run() async {
    while !Task.isCancelled {
      try? await open()
      await inbox.doorbell.wait()
    }
    publisher.close()
  }

  /// Reads the rows once, and then what the queue holds: what changed after the read is still in it.
  func open() async throws {
    if !isLoaded {
      let stored = try await store.read {
        try $0.select(ContactRow.self, "WHERE removed IS NULL ORDER BY id").map(\.contact)
      }
      if !isLoaded {
        isLoaded = true
        publisher.publish(list.insert(stored), list.snapshot)
      }
    }
    for change in inbox.takeAll() {
      let step = list.apply(inserting: change.contacts.changed, deleting: change.contacts.removed)
      publisher.publish(step, list.snapshot)
    }
  }
}
