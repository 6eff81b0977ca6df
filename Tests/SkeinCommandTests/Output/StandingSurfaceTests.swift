import Foundation
import Skein
import SkeinCards
import SkeinTerminal
import Synchronization
import Testing

@testable import SkeinCommand

@Suite("Surfaces show the state of unsent messages")
struct StandingSurfaceTests {
  private let now = Timestamp(milliseconds: 1_000_000)

  private func held(seconds: Int64) throws -> SendStanding {
    let next = Timestamp(milliseconds: now.rawValue + seconds * 1000)
    return try #require(SendStanding(.waitingForConnection, nextTry: next, kindOf: { _ in nil }))
  }

  @Test("Control characters in a server's reason are escaped")
  func harmless() throws {
    let reason = FailureReason(.transient, "The server is\u{1B}[2J busy.")
    let state = SendState.waiting(until: now, reason: reason)
    let standing = try #require(SendStanding(state, nextTry: nil, kindOf: { _ in nil }))
    #expect(standing.line(at: now) == "trying again: The server is␛[2J busy.")
  }

  @Test(
    "In a pipe, a lost connection is reported again only if a status changes, and an upload once per quarter")
  func calm() async throws {
    let messages = try await Self.cards(["one", "two"], thenSent: true).map(\.message)
    var surface = PlainSurface(account: "alice")
    func say(_ index: Int, _ standing: SendStanding) -> String {
      surface.text(for: .standing(messages[index], standing, at: now))
    }
    #expect(say(0, try held(seconds: 4)) == "-- waiting: one  (no connection, next try in 4 s)\n")
    #expect(say(1, try held(seconds: 4)) == "")
    #expect(say(0, try held(seconds: 3)) == "")
    _ = surface.text(
      for: .message(.changed(from: .message(messages[0]), to: .message(messages[2]), at: 0), nil))
    #expect(say(1, try held(seconds: 2)) != "")
    var lines = 0
    for percent in 0...100 {
      let state = SendState.preparing(fraction: Double(percent) / 100)
      let standing = try #require(SendStanding(state, nextTry: nil, kindOf: { _ in nil }))
      if say(0, standing) != "" { lines += 1 }
    }
    #expect(lines == 4)
  }

  @Test("After a resize, lines fit the width and earlier rows are not rewritten")
  func resized() async throws {
    let cards = try await Self.cards(["one", "two"], thenSent: true)
    let messages = cards.map(\.message)
    var surface = TerminalSurface(width: 90, height: 24, style: Style(isOn: false))
    _ = surface.text(for: Self.inserted(cards[0], at: 0))
    surface.resize(width: 90, height: 24)
    #expect(surface.text(for: .standing(messages[0], try held(seconds: 4), at: now)) != "")
    surface.resize(width: 60, height: 24)
    #expect(surface.text(for: .standing(messages[0], try held(seconds: 3), at: now)) == "")
    let text = surface.text(for: Self.inserted(cards[1], at: 1))
    #expect(text.split(separator: "\n").allSatisfy { String($0).columns < 60 })
    #expect(surface.text(for: .standing(messages[1], try held(seconds: 3), at: now)) != "")
  }

  @Test(
    "On a terminal, the reason for waiting changes in place and disappears when the message is sent",
    arguments: [24, 60, 80])
  func inPlace(columns: Int) async throws {
    let cards = try await Self.cards(["one", "two"], thenSent: true)
    let messages = cards.map(\.message)
    var surface = TerminalSurface(width: columns, height: 24, style: Style(isOn: false))
    var screen = Screen()
    for (index, card) in cards.prefix(2).enumerated() {
      screen.write(surface.text(for: Self.inserted(card, at: index)))
    }
    let before = screen.rows
    screen.write(surface.text(for: .standing(messages[0], try held(seconds: 4), at: now)))
    screen.write(surface.text(for: .standing(messages[0], try held(seconds: 3), at: now)))
    let row = try #require(screen.rows.firstIndex { $0.contains(" one ") })
    #expect(screen.rows[row].hasSuffix("◷"))
    if columns >= 60 { #expect(screen.rows[row].hasPrefix("  no connection, next try in 3 s  ")) }
    #expect(screen.rows[row].columns < columns)
    screen.write(
      surface.text(
        for: .message(.changed(from: .message(messages[0]), to: .message(messages[2]), at: 0), nil)))
    var after = before
    after[row] = String(after[row].dropLast()) + "✓"
    #expect(screen.rows == after)
    #expect(screen.line == before.count)

    let gone = ListStep<MessageListItem>.removed(.message(messages[1]), at: 1, isMove: false)
    screen.write(surface.text(for: .message(gone, nil)))
    let last = try #require(screen.rows.last)
    #expect(last.hasSuffix("–") && screen.rows.count == before.count)
    if columns >= 60 { #expect(last.hasPrefix("  cancelled  ")) }
  }

  @Test("An older page has each date line once, and the date line of the newest messages is not repeated")
  func olderDays() async throws {
    let texts = ["one", "two", "three", "four", "five"]
    let cards = try await Self.cards(texts, onDays: [0, 0, 1, 2, 2])
    var surface = PlainSurface(account: "alice")
    var text = surface.text(for: .opened(ConversationID(rawValue: 1), name: "bob", count: 1, hasMore: true))
    text += surface.text(for: Self.inserted(cards[3], at: 0)) + surface.text(for: .settled)
    for (index, card) in cards.prefix(3).enumerated() {
      text += surface.text(for: Self.inserted(card, at: index))
    }
    text += surface.text(for: .settled) + surface.text(for: Self.inserted(cards[4], at: 4))
    let lines = text.split(separator: "\n").filter { $0.contains(" 1970") || $0.contains("-- e") }
    let days = [0, 2, 3].map { "-- " + Moment().day(cards[$0].message.time) }
    #expect(lines.map(String.init) == [days[2], "-- earlier", days[0], days[1], "-- end of older messages"])
  }

  @Test("Unsent messages are listed in columns, and a sentence says if there are none")
  func table() async throws {
    #expect(ChatLayout.table(of: [], at: now) == "  Nothing waits to be sent.")
    let messages = try await Self.cards(["one", "a text that is far too long for a table of this width"])
      .map(\.message)
    let waiting = try zip(messages, ["bob", "Book club"]).map {
      WaitingMessage(message: $0, chat: $1, standing: try held(seconds: 4))
    }
    let lines = ChatLayout.table(of: waiting, at: now).split(separator: "\n").map(String.init)
    #expect(lines[0].hasPrefix("  1  bob        one "))
    let columns = lines.compactMap { $0.split(separator: "◷").first.map { String($0).columns } }
    #expect(columns.count == 2 && columns[0] == columns[1])
    #expect(lines.allSatisfy { $0.hasSuffix("◷ no connection, next try in 4 s") && $0.columns <= 100 })
  }

  @Test("A record for scripts has the state, the time of the next attempt, and the text for people")
  func record() async throws {
    let message = try await Self.cards(["one"])[0].message
    guard case .standing(let record) = EventRecord(.standing(message, try held(seconds: 4), at: now)) else {
      Issue.record("not a standing")
      return
    }
    #expect(record.state == .waitingForConnection)
    #expect(record.until == now.rawValue + 4000 && record.note == "no connection, next try in 4 s")
    #expect(record.messageID == message.messageID.rawValue)
  }

  private static func inserted(_ card: MessageCardViewModel, at index: Int) -> ChatEvent {
    .message(.inserted(.message(card.message), at: index, isMove: false), card)
  }

  /// Returns the cards of Alice's messages that wait to be sent.
  ///
  /// - Parameters:
  ///   - thenSent: whether the first message is then sent, and its card as a sent message added last.
  ///   - days: the day on which each message is composed, in days after 1 January 1970; by default today.
  private static func cards(_ texts: [String], thenSent: Bool = false, onDays days: [Int64] = [])
    async throws -> [MessageCardViewModel]
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: "skein-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let day = Mutex<Int64?>(nil)
    var runtime = Runtime.system(directory: folder)
    runtime.now = { [now = runtime.now] in
      day.withLock { $0 }.map { Timestamp(milliseconds: $0 * 86_400_000 + 43_200_000) } ?? now()
    }
    let client = try await ChatClient.open(account: "alice", backend: TakingBackend(), runtime: runtime)
    let chat = client.context(for: try await client.open(.direct("bob")))
    for (index, text) in texts.enumerated() {
      if !days.isEmpty { day.withLock { $0 = days[index] } }
      try await chat.messenger.send(TextContent(text))
    }
    var messages = try await client.waitingMessages()
    if thenSent {
      client.start()
      for await update in chat.changes {
        guard let first = update.snapshot.first?.message, first.status == .sent else { continue }
        messages.append(first)
        break
      }
    }
    await client.close()
    let factory = MessageCardViewModelFactory(for: chat, registry: .standard)
    return messages.map(factory.card)
  }
}

/// Emulates a terminal's screen without colours.
private struct Screen {
  private(set) var rows: [String] = []
  private(set) var line = 0
  private var column = 0

  mutating func write(_ text: String) {
    var rest = Array(text.unicodeScalars)[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\n": (line, column) = (line + 1, 0)
      case "\r": column = 0
      case "\u{1B}": escape(&rest)
      default: put(Character(scalar))
      }
    }
  }

  private mutating func escape(_ rest: inout ArraySlice<Unicode.Scalar>) {
    _ = rest.popFirst()
    var number = ""
    while let scalar = rest.popFirst() {
      switch scalar {
      case "A": line -= Int(number) ?? 1
      case "B": line += Int(number) ?? 1
      case "G": column = (Int(number) ?? 1) - 1
      default:
        number.unicodeScalars.append(scalar)
        continue
      }
      return
    }
  }

  private mutating func put(_ character: Character) {
    while rows.count <= line { rows.append("") }
    var row = Array(rows[line])
    while row.count <= column { row.append(" ") }
    row[column] = character
    rows[line] = String(row)
    column += 1
  }
}

/// A server that accepts every message.
private struct TakingBackend: ChatBackend {
  private let base = RefusingBackend()
  var capabilities: BackendCapabilities { base.capabilities }

  func run(since cursor: SyncCursor?, _ receive: @escaping BackendReceiver) async throws {
    try await base.run(since: cursor, receive)
  }
  func sync(since cursor: SyncCursor?, limit: Int) async throws -> SyncBatch {
    try await base.sync(since: cursor, limit: limit)
  }
  func history(of: ConversationRef, at: HistoryAnchor, limit: Int) async throws -> HistoryPage {
    throw BackendError(.permanent, "There is nothing.")
  }
  func open(_ request: ConversationRequest) async throws -> ConversationInfo {
    ConversationInfo(ref: ConversationRef(rawValue: "1"), type: .direct, peer: "bob")
  }
  func send(_ message: OutgoingMessage) async throws -> SendReceipt { SendReceipt() }
}
