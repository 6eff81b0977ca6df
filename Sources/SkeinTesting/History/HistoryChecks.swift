import SkeinModel

extension BackendCheck {
  /// Pages of a conversation.
  static let history: [BackendCheck] =
    [
      BackendCheck(
        .history, "The newest page contains the newest messages in ascending order and reaches the end",
        newestPage),
      BackendCheck(
        .history, "Paging back returns every message once, without gaps, up to the start", pagingBack),
      BackendCheck(.history, "Paging back is not affected by messages that arrive meanwhile", whilePaging),
      BackendCheck(.history, "Only the page with the first message reaches the start", reachesStart),
      BackendCheck(.history, "A page contains at most as many messages as requested", pageLimit),
      BackendCheck(.history, "A limit above the server's maximum still returns a page", hugeLimit),
      BackendCheck(
        .history, "A conversation without messages has one empty page, which reaches start and end",
        emptyHistory),
      BackendCheck(
        .history, "The page before the first message is empty and reaches the start", needs: [.positions],
        beforeTheFirst),
      BackendCheck(.history, "History and sync return the same messages", sameAsSync),
      BackendCheck(
        .history, "The history of a conversation that does not exist is refused permanently", historyOfUnknown
      ),
    ] + anchors

  private static func newestPage(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let sent = try await alice.send(5, in: chat)
    let page = try await bob.page(of: chat, limit: 50)
    try expect(bob.ordered(page.messages.texts), is: bob.ordered(sent.texts), "The newest page")
    try expect(page.reachesEnd, "The newest page does not reach the end.")
    try expect(page.reachesStart, "A page with every message does not reach the start.")
    if bob.hasPositions {
      try expect(
        try await bob.page(of: chat, limit: 2).messages.texts, is: sent.suffix(2).map { $0 }.texts,
        "The newest page of two")
    }
  }

  private static func pagingBack(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    var sent: [OutgoingMessage] = []
    for number in 0..<11 { sent += try await (number % 3 == 0 ? bob : alice).send(1, in: chat) }
    for limit in [1, 2, 5, 50] {
      let texts = try await bob.history(of: chat, limit: limit).texts
      try expect(bob.ordered(texts), is: bob.ordered(sent.texts), "The pages of \(limit) messages")
    }
  }

  private static func whilePaging(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let sent = try await alice.send(6, in: chat)
    let newest = try await bob.page(of: chat, limit: 2)
    try await alice.send(3, in: chat)
    let texts = try await bob.history(of: chat, before: newest, limit: 2).texts
    try expect(
      bob.ordered(texts), is: bob.ordered(sent.texts), "The older messages found by paging back")
  }

  private static func reachesStart(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    try await alice.send(6, in: chat)
    var page = try await bob.page(of: chat, limit: 2)
    var seen = page.messages.count
    while seen < 6 {
      try expect(
        !page.reachesStart, "A page reaches the start, but \(6 - seen) messages are older.")
      page = try await bob.page(of: chat, at: try bob.anchor(before: page), limit: 2)
      try expect(!page.messages.isEmpty, "A page is empty, with \(6 - seen) messages before it.")
      seen += page.messages.count
    }
    // The server may report the start with the page of the first message, or only with the next older page.
    if !page.reachesStart {
      page = try await bob.page(of: chat, at: try bob.anchor(before: page), limit: 2)
      try expect(page.messages.isEmpty && page.reachesStart, "No page reaches the start.")
    }
  }

  private static func pageLimit(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    try await alice.send(5, in: chat)
    for limit in [1, 2, 4] {
      let newest = try await bob.page(of: chat, limit: limit)
      let older = try await bob.page(of: chat, at: try bob.anchor(before: newest), limit: limit)
      for page in [newest, older] {
        try expect(
          (1...limit).contains(page.messages.count),
          "A page of \(limit) holds \(page.messages.count) messages.")
      }
    }
  }

  private static func hugeLimit(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let sent = try await alice.send(3, in: chat)
    let page = try await bob.page(of: chat, limit: 1_000_000)
    try expect(page.messages.texts.sorted(), is: sent.texts.sorted(), "The page")
    let batch = try await bob.catchUp(limit: 1_000_000)
    try expect(batch.messages(in: chat).texts.sorted(), is: sent.texts.sorted(), "The sync")
  }

  private static func emptyHistory(_ stage: Stage) async throws {
    let (_, bob, chat) = try await stage.pair()
    let page = try await bob.page(of: chat)
    try expect(page.messages.texts, is: [], "The page")
    try expect(page.reachesStart && page.reachesEnd, "The only page does not reach from start to end.")
  }

  private static func beforeTheFirst(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    try await alice.send(3, in: chat)
    guard let first = try await bob.history(of: chat).first?.position else {
      throw CheckEnd.failed("The first message has no position.")
    }
    let page = try await bob.page(of: chat, at: .before(first))
    try expect(page.messages.texts, is: [], "The page before the first message")
    try expect(page.reachesStart, "The page before the first message does not reach the start.")
  }

  private static func sameAsSync(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    try await alice.send(3, in: chat)
    try await bob.send(2, in: chat)
    let synced = try await bob.catchUp().messages(in: chat)
    let paged = try await bob.history(of: chat)
    try expect(paged.count, is: synced.count, "The number of messages in the history")
    for message in synced {
      guard let same = paged.first(where: { $0.payload == message.payload }) else {
        throw CheckEnd.failed("The history lacks a message that a sync returned.")
      }
      try expect(same.serverID, is: message.serverID, "A message's server id in the history")
      try expect(same.position, is: message.position, "A message's position in the history")
      try expect(same.time, is: message.time, "A message's time in the history")
      try expect(same.sender, is: message.sender, "A message's sender in the history")
      try expect(same.kind, is: message.kind, "A message's kind in the history")
      try expect(same.revision, is: message.revision, "A message's revision in the history")
    }
  }

  private static func historyOfUnknown(_ stage: Stage) async throws {
    let (alice, _, _) = try await stage.pair()
    let nowhere = ConversationRef(rawValue: stage.word("nowhere"))
    let error = try await stage.error(of: "A page of an unknown conversation") {
      _ = try await alice.page(of: nowhere)
    }
    try expect(error.code, is: .permanent, "The code of the refusal")
  }
}
