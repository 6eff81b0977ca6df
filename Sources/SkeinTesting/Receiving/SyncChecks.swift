import SkeinModel
import Synchronization

extension BackendCheck {
  /// Syncs and the push channel.
  static let receiving: [BackendCheck] =
    [
      BackendCheck(
        .receiving, "A sync from the beginning returns every conversation that has a message",
        fromTheBeginning),
      BackendCheck(.receiving, "A batch names the cursor that it starts from", batchNamesCursor),
      BackendCheck(
        .receiving, "A cursor stays valid, and a second sync from it returns the same again", cursorStays),
      BackendCheck(.receiving, "A sync returns everything since its cursor, once", sinceCursor),
      BackendCheck(.receiving, "A sync without news returns no messages and ends", nothingNew),
      BackendCheck(
        .receiving, "A chain of syncs with hasMore ends and returns every message once", everythingOnce),
      BackendCheck(.receiving, "Messages that are sent during syncs are returned once", whileSending),
      BackendCheck(
        .receiving,
        "A limit omits the oldest messages, and the count, if stated, includes them",
        limited),
      BackendCheck(
        .receiving, "Messages omitted by a limit are found by paging back from the oldest returned one",
        gapIsFilled),
      BackendCheck(.receiving, "An account's own messages are returned to its other devices", ownMessages),
      BackendCheck(
        .receiving, "An unread count, if stated, is the number of unread messages by others", unread),
      BackendCheck(
        .receiving, "An unread count, if stated, includes exactly the countable messages",
        countable),
      BackendCheck(
        .receiving, "An unknown cursor is rejected or treated as the beginning", unknownCursor),
      BackendCheck(
        .receiving, "The epochs of syncs, pages, receipts and contact lists, if stated, are the same",
        epochsAgree),
      BackendCheck(
        .receiving, "The server's time in a batch, if stated, is not before the times of its messages",
        batchTime),
      BackendCheck(.receiving, "A cancelled sync ends promptly", needs: [.losing], cancelledSync),
      BackendCheck(
        .receiving, "A message posted by another client is received like any other",
        needs: [.outsidePosts],
        outside),
    ] + push

  private static func fromTheBeginning(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let carol = try await stage.device()
    let other = try await carol.open(.direct(bob.user)).ref
    let group = try await bob.open(
      .group(id: stage.word("group"), title: "All", members: [alice.user, carol.user])
    ).ref
    try await alice.send(1, in: chat)
    try await carol.send(2, in: other)
    try await bob.send(3, in: group)
    let caught = try await bob.catchUp()
    for (ref, count) in [(chat, 1), (other, 2), (group, 3)] {
      try expect(caught.messages(in: ref).count, is: count, "The number of messages in a conversation")
    }
    try expect(caught.messages.count, is: 6, "The number of messages in all")
  }

  private static func batchNamesCursor(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    try await alice.send(1, in: chat)
    let first = try await bob.sync(since: nil)
    try expect(first.from, is: nil, "The cursor that the first batch names")
    let cursor = try await bob.catchUp().cursor
    try await alice.send(1, in: chat)
    try expect(try await bob.sync(since: cursor).from, is: cursor, "The cursor that the next batch names")
  }

  private static func cursorStays(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    try await alice.send(2, in: chat)
    let cursor = try await bob.catchUp().cursor
    try await alice.send(3, in: chat)
    for since in [nil, cursor] {
      let (first, again) = (try await bob.catchUp(since: since), try await bob.catchUp(since: since))
      try expect(again.messages.texts, is: first.messages.texts, "The messages, the second time")
      try expect(again.count(in: chat), is: first.count(in: chat), "The count the second time")
    }
    let texts = try await bob.catchUp(since: cursor).messages.texts
    try expect(texts.count, is: 3, "The number of messages since the cursor")
  }

  private static func sinceCursor(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    var cursor: SyncCursor?
    for count in [2, 1, 4] {
      let sent = try await alice.send(count, in: chat)
      let caught = try await bob.catchUp(since: cursor)
      try expect(caught.messages(in: chat).texts, is: sent.texts, "The messages since the cursor")
      try expect(caught.count(in: chat), is: count, "The count")
      cursor = caught.cursor
    }
  }

  private static func nothingNew(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    try await alice.send(2, in: chat)
    let caught = try await bob.catchUp()
    let again = try await bob.catchUp(since: caught.cursor)
    try expect(again.messages.count, is: 0, "The number of new messages")
    try expect(again.count(in: chat), is: 0, "The count")
  }

  private static func everythingOnce(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    var sent = try await alice.send(1, in: chat)
    let batchSize = stage.server.batchSize
    for _ in 0..<(batchSize ?? 20) + 2 {
      let title = stage.word("group")
      let group = try await alice.open(.group(id: title, title: title, members: [bob.user])).ref
      sent += try await alice.send(1, in: group)
    }
    if let batchSize {
      let first = try await bob.sync(since: nil)
      try expect(
        first.hasMore, "One answer held \(sent.count) conversations, though batchSize is \(batchSize).")
    }
    let caught = try await bob.catchUp()
    try expect(caught.messages.texts.sorted(), is: sent.texts.sorted(), "The messages of the chain")
    let after = try await bob.catchUp(since: caught.cursor)
    try expect(after.messages.texts, is: [], "The messages after the chain")
  }

  private static func whileSending(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let other = try await alice.open(.group(id: stage.word("group"), title: "Busy", members: [bob.user])).ref
    let tablet = try await stage.device(of: bob.user)
    let isOver = Mutex(false)
    async let sent = withThrowingTaskGroup(of: [OutgoingMessage].self) { group in
      defer { isOver.withLock { $0 = true } }
      for (device, ref) in [(alice, chat), (bob, chat), (alice, other), (bob, other)] {
        group.addTask(executorPreference: WorkQueue()) { try await device.send(10, in: ref) }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    var (cursor, seen, isLast): (SyncCursor?, [String], Bool) = (nil, [], false)
    while !isLast {
      isLast = isOver.withLock { $0 }
      let caught = try await tablet.catchUp(since: cursor)
      cursor = caught.cursor
      seen += caught.messages.texts
      await Task.yield()
    }
    try expect(seen.sorted(), is: try await sent.texts.sorted(), "The messages of all syncs")
  }

  private static func limited(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let cursors = [nil, try await bob.catchUp().cursor]
    let sent = try await alice.send(7, in: chat)
    for cursor in cursors {
      for limit in [1, 3] {
        let caught = try await bob.catchUp(since: cursor, limit: limit)
        let deltas = caught.deltas(of: chat)
        if let count = caught.count(in: chat) {
          try expect(count, is: 7, "The count with a limit of \(limit)")
        }
        for delta in deltas where delta.count != 0 {
          try expect(
            (1...limit).contains(delta.messages.count),
            "A limit of \(limit) returned \(delta.messages.count) messages.")
          try expect(
            delta.count.map { $0 >= delta.messages.count } ?? true,
            "A count is less than the number of returned messages.")
        }
        let newest = deltas.last { $0.count != 0 }?.messages.texts ?? []
        try expect(newest, is: sent.suffix(newest.count).map { $0 }.texts, "The newest \(limit) messages")
      }
    }
  }

  private static func gapIsFilled(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let sent = try await alice.send(9, in: chat)
    let deltas = try await bob.catchUp(limit: 2).deltas(of: chat)
    for delta in deltas where delta.count.map({ $0 > delta.messages.count }) ?? true {
      let page = HistoryPage(
        messages: delta.messages, reachesStart: false, reachesEnd: true, previous: delta.previous)
      let older = try await bob.history(of: chat, before: page, limit: 3)
      try expect(
        bob.ordered(older.texts), is: bob.ordered(sent.prefix(older.count).map { $0 }.texts),
        "The messages found by paging back from a limited sync")
      let count = delta.count ?? sent.count
      try expect(older.texts.suffix(count).count, is: count, "The number of messages up to the gap's end")
    }
  }

  private static func ownMessages(_ stage: Stage) async throws {
    let (alice, _, chat) = try await stage.pair()
    let tablet = try await stage.device(of: alice.user)
    let cursor = try await tablet.catchUp().cursor
    let message = try alice.text(in: chat)
    try await alice.send(message)
    for since in [cursor, nil] {
      let found = try await tablet.catchUp(since: since).messages(in: chat).only(
        message, where: "the other device's sync")
      try expect(found.sender, is: alice.user, "The sender")
    }
  }

  private static func unread(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    try await bob.send(1, in: chat)
    try await alice.send(3, in: chat)
    // The limit of 1 leaves a gap. Without a gap, a server may omit the count, since the device has every
    // message and counts them.
    let stated = try await bob.catchUp(limit: 1).deltas(of: chat).compactMap(\.unread).last
    guard let stated else { throw CheckEnd.skipped("The server states no unread counts.") }
    try expect(stated, is: 3, "The unread count of three messages by the other")
    try await alice.send(2, in: chat)
    let later = try await bob.catchUp(limit: 1).deltas(of: chat).compactMap(\.unread).last
    try expect(later, is: 5, "The unread count after two more messages")
  }

  private static func countable(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    for isCountable in [true, false, true] {
      let text = TextContent(stage.word("text"))
      try await alice.send(try alice.message(in: chat, text, isCountable: isCountable))
    }
    let stated = try await bob.catchUp(limit: 1).deltas(of: chat).compactMap(\.unread).last
    guard let stated else { throw CheckEnd.skipped("The server states no unread counts.") }
    // A text is countable unless the server states otherwise.
    let countable = try await bob.history(of: chat).count { $0.isCountable ?? true }
    try expect(stated, is: countable, "The unread count, compared with the countable messages")
  }

  private static func unknownCursor(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let sent = try await alice.send(2, in: chat)
    do {
      let caught = try await bob.catchUp(since: SyncCursor(rawValue: "no cursor of this server"))
      try expect(
        caught.messages(in: chat).texts, is: sent.texts, "The messages since an unknown cursor")
    } catch let error as BackendError {
      try expect(error.code, is: .cursorRejected, "The code")
    }
  }

  private static func epochsAgree(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let receipt = try await alice.send(try alice.text(in: chat))
    var epochs = [receipt.epoch, try await bob.page(of: chat).epoch]
    epochs += try await bob.catchUp().batches.map(\.epoch)
    if bob.backend.capabilities.contacts != nil { epochs.append(try await bob.contacts().epoch) }
    try expect(
      Set(epochs.compactMap { $0 }).count <= 1, "The epochs differ: \(epochs.compactMap(\.?.rawValue)).")
  }

  private static func batchTime(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    for _ in 0..<2 {
      try await alice.send(2, in: chat)
      for batch in try await bob.catchUp().batches {
        guard let time = batch.time, let newest = batch.messages(in: chat).map(\.time).max() else { continue }
        try expect(
          time >= newest,
          "The time of the batch is \(time.rawValue), and that of its newest message \(newest.rawValue).")
      }
    }
  }

  private static func cancelledSync(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    try await alice.send(1, in: chat)
    try await stage.loseNextAnswer(to: bob.user, by: .silence)
    let sync = Task(executorPreference: WorkQueue()) { _ = try? await bob.sync(since: nil) }
    // These calls give the request time to reach the server. The check also works if the request arrives
    // later.
    for _ in 0..<3 { _ = try await alice.catchUp() }
    try await stage.cancel(sync, "A sync whose answer was lost")
  }

  private static func outside(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let message = try alice.text(in: chat)
    try await stage.post(message, from: alice.user)
    let own = try alice.text(in: chat)
    try await alice.send(own)
    let synced = try await bob.catchUp().messages(in: chat)
    try expect(synced.texts, is: [message, own].texts, "The synced messages")
    try expect(synced.allSatisfy { $0.sender == alice.user }, "The sender is not the user who posted it.")
    let paged = try await bob.history(of: chat).texts
    try expect(bob.ordered(paged), is: bob.ordered([message, own].texts), "The messages of the history")
  }
}
