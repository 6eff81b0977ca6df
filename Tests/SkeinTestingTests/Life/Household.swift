import Foundation
import Skein
import SkeinTesting

/// Two users of a server, each with one device that can be closed and opened again. Alice also sends messages
/// with calls of her backend.
struct Household: Sendable {
  let style: ServerStyle
  let server: StyledServer
  let chat: ConversationRef
  let alice: UserID
  let bob: UserID
  private let backends: (alice: any ChatBackend, bob: any ChatBackend)
  private let folder: URL

  /// Runs a test with two new users, and removes their files.
  static func with(_ style: ServerStyle, _ body: (Household) async throws -> Void) async throws {
    let household = try await Household(style)
    defer { try? FileManager.default.removeItem(at: household.folder) }
    try await body(household)
  }

  private init(_ style: ServerStyle) async throws {
    self.style = style
    server = StyledServer(style)
    (alice, bob) = (try await server.makeUser(), try await server.makeUser())
    backends = (try await server.makeBackend(for: alice), try await server.makeBackend(for: bob))
    chat = try await backends.alice.open(.direct(bob)).ref
    folder = FileManager.default.temporaryDirectory.appending(path: "skein-life-\(UUID().uuidString)")
  }

  /// Sends numbers as Alice. The time of a message is its number, plus one for each read or delivery mark
  /// that the server stored before it.
  func say(_ numbers: ClosedRange<Int>) async throws {
    for number in numbers {
      _ = try await backends.alice.send(
        OutgoingMessage(
          id: MessageID(rawValue: "m\(number)"), conversation: chat, kind: "text",
          payload: Data(#"{"text":"\#(number)"}"#.utf8)))
    }
  }

  /// The client of a user: the same device with its folder for each name.
  ///
  /// - Parameters:
  ///   - device: the name of another device; nil for the user's first device.
  ///   - fault: the broken rule of its backend.
  func client(of user: UserID, on device: String? = nil, fault: Fault? = nil) async throws -> ChatClient {
    var backend = user == bob ? backends.bob : backends.alice
    if device != nil { backend = try await server.makeBackend(for: user) }
    if let fault { backend = FaultyBackend(base: backend, fault: fault, memory: FaultMemory(user: user)) }
    var options = ChatOptions()
    (options.pageSize, options.catchUpPageSize) = (7, 5)
    return try await ChatClient.open(
      account: user, backend: backend,
      runtime: .system(directory: folder.appending(path: device ?? user.rawValue)),
      options: options)
  }

  /// The message with a number, as a page returns it to Bob's device.
  func message(_ number: Int) async throws -> IncomingMessage? {
    try await backends.bob.history(of: chat, at: .newest, limit: 1000).messages.first {
      String(decoding: $0.payload, as: UTF8.self) == #"{"text":"\#(number)"}"#
    }
  }

  /// The server's ids of the messages, in the order of arrival.
  func names() async throws -> [ServerMessageID?] {
    try await server.call(by: 0, of: alice) { $0.log.compactMap(\.message).map(\.serverID) }
  }

  /// Repeats calls while they fail with `unreachable` or `transient`.
  func repeating(_ calls: () async throws -> Void) async throws {
    while true {
      do {
        return try await calls()
      } catch let error as BackendError where [.unreachable, .transient].contains(error.code) {
        continue
      }
    }
  }

  /// Whether a list shows the numbers from 1 to `count`, each once and in the server's order.
  func isWhole(_ texts: [String], _ count: Int) -> Bool {
    isInOrder(texts, (1...count).map { "\($0)" })
  }

  /// Whether a list equals the server's list, except for swapped neighbors if the server's pages swap them.
  func isInOrder<Name: Hashable>(_ list: [Name], _ served: [Name]) -> Bool {
    guard style.pages == .shuffled else { return list == served }
    return list.count == served.count && Set(list) == Set(served)
      && list.indices.allSatisfy { served[max($0 - 1, 0)...min($0 + 1, served.count - 1)].contains(list[$0]) }
  }
}

extension ServerStyle {
  /// An archive that returns only the newest page to a device that was away.
  static let cutArchive = ServerStyle(
    description: "archive, entered at its end", abilities: archive.abilities, receipts: .nothing,
    syncs: .conversations, pushes: .batches, pages: .arrival, statesUnread: false, statesCounts: false)

  /// Whether a sync omits messages of a conversation that has more new messages than the limit.
  var cutsTimelines: Bool { syncs == .conversations }
}

extension ChatContext {
  /// The messages as their texts, `…` for a gap.
  var texts: [String] { messages.texts }

  /// The texts, once they fulfill a condition.
  @discardableResult
  func texts(where condition: ([String]) -> Bool) async throws -> [String] {
    for await update in changes where condition(update.snapshot.texts) { return update.snapshot.texts }
    throw CancellationError()
  }

  /// Fills all gaps.
  func fillGaps() async throws {
    for _ in 1...100 {
      guard let gap = messages.compactMap(\.gap).first else { return }
      try await fill(gap)
    }
  }

  func pageBack() async throws {
    for _ in 1...100 where hasMorePreviousMessages { try await fetchMorePreviousMessages() }
  }

  func pageOn() async throws {
    for _ in 1...100 where hasMoreNextMessages { try await fetchMoreNextMessages() }
  }
}

extension MessageList {
  var texts: [String] { map { $0.message?.content.displayedText ?? "…" } }
}

extension ConversationList {
  /// The only conversation, once it fulfills a condition.
  @discardableResult
  func only(where condition: (Conversation) -> Bool) async throws -> Conversation {
    for await update in changes {
      if let conversation = update.snapshot.first, condition(conversation) { return conversation }
    }
    throw CancellationError()
  }
}
