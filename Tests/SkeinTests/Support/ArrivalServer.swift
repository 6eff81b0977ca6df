import Foundation
import SkeinStorage
import Synchronization
import Testing

@testable import Skein

/// A store for a server without positions, and the batches of that server, one after the other.
final class ArrivalServer: Sendable {
  static let info = ConversationInfo(
    ref: ConversationRef(rawValue: "r"), type: .group, members: ["alice", "bob"])
  let store: ChatStore
  private let cursor = Mutex(0)

  init(reordersHistory: Bool = false) async throws {
    store = try await OddServerTests.store(
      stage, ordering: .arrival, reordersHistory: reordersHistory, readMarks: true, actions: .all)
  }

  /// Applies a sync with these messages.
  ///
  /// - Parameters:
  ///   - isCut: whether the sync has left out messages before them.
  ///   - reachesStart: whether the server has nothing before them.
  ///   - named: whether the messages have message ids.
  ///   - canPage: whether the sync has a token for the page before them.
  ///   - calls: whether the messages mention everybody.
  ///   - unread: the server's count of unread messages.
  ///   - unreadMentions: the server's count of unread mentions.
  ///   - mark: the message up to which Bob has read.
  ///   - receipt: the messages up to which Alice has received and read.
  ///   - time: the time of all messages.
  func sync(
    _ numbers: Int64..., isCut: Bool = false, reachesStart: Bool = false, named: Bool = true,
    canPage: Bool = true, epoch: String? = nil, calls: Bool = false, unread: Int? = nil,
    unreadMentions: Int? = nil, readUpTo mark: Int64? = nil,
    receipt: (delivered: Int64, read: Int64)? = nil, at time: Int64? = nil
  ) async throws {
    let (from, next) = cursor.withLock { cursor in
      cursor = epoch == nil ? cursor + 1 : 1
      return (cursor > 1 ? SyncCursor(rawValue: "\(cursor - 1)") : nil, SyncCursor(rawValue: "\(cursor)"))
    }
    var messages = numbers.map { IncomingMessage.number($0) }
    if !named {
      for index in messages.indices { (messages[index].messageID, messages[index].sender) = (nil, "bob") }
    }
    if calls { for index in messages.indices { messages[index].mentions = Mentions(everyone: true) } }
    if let time {
      for index in messages.indices { messages[index].time = Timestamp(milliseconds: time) }
    }
    var info = Self.info
    info.readMark = mark.map(Self.mark)
    info.receipts = receipt.map {
      [MemberReceipt(user: "alice", delivered: Self.mark($0.delivered), read: Self.mark($0.read))]
    }
    var delta = ConversationDelta(
      info: info, count: isCut ? nil : messages.count, unread: unread, messages: messages,
      previous: canPage ? numbers.first.map { HistoryToken(rawValue: "before \($0)") } : nil)
    delta.unreadMentions = unreadMentions
    delta.reachesStart = reachesStart
    let batch = SyncBatch(
      from: from, next: next, epoch: epoch.map { Epoch(rawValue: $0) }, conversations: [delta])
    _ = try await store.write(.kill) { try Intake($0).apply(batch) }
  }

  /// Applies a first sync without conversations.
  func syncNothing() async throws {
    cursor.withLock { $0 = 1 }
    let batch = SyncBatch(from: nil, next: SyncCursor(rawValue: "1"), conversations: [])
    _ = try await store.write(.kill) { try Intake($0).apply(batch) }
  }

  /// Stores a page of these messages.
  ///
  /// - Parameters:
  ///   - edge: the message before which the page was requested; nil for a page that was not requested at a span.
  ///   - lower: the message after which the page was requested.
  ///   - time: the time of all messages.
  ///   - own: the numbers of this account's messages.
  func page(
    _ numbers: Int64..., below edge: Int64? = nil, above lower: Int64? = nil, at time: Int64? = nil,
    reachesStart: Bool = false, own: Set<Int64> = [], next: HistoryToken? = nil
  ) async throws {
    var messages = numbers.map { IncomingMessage.number($0) }
    for (index, number) in numbers.enumerated() where own.contains(number) { messages[index].sender = "bob" }
    if let time {
      for index in messages.indices { messages[index].time = Timestamp(milliseconds: time) }
    }
    let page = HistoryPage(
      messages: messages, reachesStart: reachesStart, reachesEnd: false,
      previous: HistoryToken(rawValue: "before \(numbers[0])"), next: next)
    let chat = try await chat()
    let rank = try await rows().first { $0.serverID?.rawValue == (edge ?? lower).map { "s\($0)" } }?.rank
    _ = try await store.write(.kill) { transaction in
      if let rank, lower != nil { return try Intake(transaction).ingest(page, above: rank, in: chat) }
      if let rank { return try Intake(transaction).ingest(page, below: rank, in: chat) }
      return try Intake(transaction).ingest(page, in: chat)
    }
  }

  /// Clears the only conversation on this device.
  func clear() async throws {
    let chat = try await chat()
    try await store.write(.kill) { try Clearing($0).clear(chat) }
  }

  private static func mark(_ number: Int64) -> MessageMark {
    MessageMark(serverID: ServerMessageID(rawValue: "s\(number)"))
  }

  func chat() async throws -> ConversationID { try await row().id }

  /// The only conversation.
  func row() async throws -> ConversationRow {
    try #require(try await store.read { try $0.first(ConversationRow.self, "ORDER BY id") })
  }

  func rows() async throws -> [MessageRow] {
    try await store.read { try $0.select(MessageRow.self, "WHERE is_hidden = 0 ORDER BY rank, id") }
  }

  /// Sends a message of this account, for which the server's receipt has no position.
  @discardableResult
  func send(_ number: Int64, at time: Int64? = nil) async throws -> LocalMessageID {
    let id = try await compose(number)
    try await acknowledge(id, number, at: time)
    return id
  }

  /// Composes a message of this account, which then waits to be sent.
  @discardableResult
  func compose(_ number: Int64) async throws -> LocalMessageID {
    let draft = EncodedMessage(
      messageID: MessageID(rawValue: "m\(number)"), kind: "text",
      payload: Data(#"{"text":"\#(number)"}"#.utf8), needsPreparation: false)
    let chat = try await chat()
    return try await store.write(.kill) { try Composing($0).compose(draft, in: chat).id }
  }

  /// Stores the server's receipt, without a position, for a message of this account.
  func acknowledge(
    _ id: LocalMessageID, _ number: Int64, at time: Int64? = nil, isTimed: Bool = true, epoch: Epoch? = nil
  ) async throws {
    let receipt = SendReceipt(
      serverID: ServerMessageID(rawValue: "s\(number)"),
      time: isTimed ? Timestamp(milliseconds: time ?? number) : nil, epoch: epoch)
    try await store.write(.kill) { try Attempts($0).acknowledge(id, receipt) }
  }

  /// The numbers of all messages, in the order of the list.
  func order() async throws -> String {
    try await rows().map { "\($0.serverID?.rawValue.dropFirst() ?? "?")" }.joined(separator: " ")
  }

  func shows(_ expected: String, at location: SourceLocation = #_sourceLocation) async throws {
    let drawn = try await drawn()
    #expect(drawn == expected, sourceLocation: location)
  }

  /// The messages' numbers, with bars between spans and `*` before a span that reaches the start. Each
  /// message outside the spans follows after a bar, with `~` before its number. A message without a server
  /// id has `?` as its number.
  private func drawn() async throws -> String {
    let id = try await chat()
    let (spans, all) = try await store.read { database in
      let row = try database.find(ConversationRow.self, id)
      return (
        try database.spans(of: try #require(row), isDense: false).spans,
        try database.select(MessageRow.self, "WHERE is_hidden = 0 ORDER BY rank, id")
      )
    }
    let parts = spans.map { span in
      let texts = all.filter { span.lower <= $0.rank && $0.rank <= span.upper }
        .map { $0.serverID?.rawValue.dropFirst() ?? "?" }
      return (span.reachesStart ? ["*"] + texts : texts).joined(separator: " ")
    }
    let floating = all.filter { row in !spans.contains { $0.lower <= row.rank && row.rank <= $0.upper } }
    return (parts + floating.map { "~\($0.serverID?.rawValue.dropFirst() ?? "?")" }).joined(
      separator: " | ")
  }
}
