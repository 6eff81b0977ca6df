import SkeinStorage

/// Publishes the changes that other processes make in the same database.
///
/// The changes are published in the order of the commits: right before the next change of this process, or when
/// ``publishForeignChanges()`` is called.
extension ChatStore {
  /// Publishes the changes of other processes through the feed.
  ///
  /// - Throws: ``ChatError`` with `dataErased` if another process has erased the account's data.
  func publishForeignChanges() async throws {
    try await database.readInOrder { rows -> StoreChanges? in
      guard let account = try rows.account() else { return nil }
      try checkOwner(account)
      return try changes(in: rows, account)
    } then: { missed in
      if let missed { feed.publish(missed) }
    }
  }

  /// The changes that the feed has not published yet; nil if there are none.
  func changes(in rows: ReadTransaction, _ account: AccountRow) throws -> StoreChanges? {
    let told = feed.version
    guard account.version > told else { return nil }
    var changes = StoreChanges(version: account.version)
    let conversations = try rows.conversations(changedAfter: told)
    for row in conversations.changed {
      let last = try rows.lastMessage(of: row.id)
      changes.parts.append(
        StoreChanges.Part(
          conversation: row.id,
          value: row.conversation(lastMessage: last?.message(for: self.account, kinds: kinds)),
          isListed: row.isListed, hasPendingReadMark: row.pendingReadMark != nil,
          unconfirmedSettings: row.unconfirmedSettings, needsReload: true))
    }
    for row in conversations.merged {
      changes.parts.append(
        StoreChanges.Part(conversation: row.conversation, mergedInto: row.target, needsReload: true))
    }
    for row in try rows.contacts(changedAfter: told) {
      if row.removed == nil {
        changes.contacts.changed.append(row.contact)
      } else {
        changes.contacts.removed.append(row.id)
      }
    }
    changes.outbox = try rows.operations()
    return changes
  }
}
