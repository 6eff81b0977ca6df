import Foundation
import Skein
import SkeinCards

/// A chat of many messages of so many kinds, all in its list, and what the cards of a screen of it cost.
struct CardMeasurement {
  /// How many messages a screen shows.
  static let screen = 30
  private let client: ChatClient
  private let chat: ChatContext
  private let cards: MessageCardViewModelFactory
  private let messages: [ChatMessage]

  /// Fills the list from a server that makes messages up; the client and its database are real.
  init(kinds count: Int, messages total: Int, in folder: URL) async throws {
    let registry = NumberedKinds(count)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let runtime = Runtime.system(directory: folder)
    var options = ChatOptions()
    (options.windowSize, options.pageSize) = (.max, 1000)
    client = try await ChatClient.open(
      account: "alice", backend: LongChat(count: total, kinds: count),
      kinds: registry.kinds, runtime: runtime, options: options)
    client.start()
    for await state in client.catchUpStates where state == .caughtUp { break }
    chat = client.context(for: try await client.open(.direct("bob")))
    try await chat.open()
    while chat.hasMorePreviousMessages { try await chat.fetchMorePreviousMessages() }
    // A machine that is busy elsewhere is no business that hangs.
    cards = MessageCardViewModelFactory(
      for: chat, registry: registry.cards, timeouts: .init(components: .seconds(60)))
    messages = chat.messages.compactMap(\.message)
    guard messages.count == total else { throw Failure("Only \(messages.count) messages of \(total) came.") }
  }

  var count: Int { messages.count }

  /// Makes the cards of one screen, none of which was made before.
  ///
  /// - Throws: where one of them could not be made: then nothing was measured.
  func makeScreen(_ number: Int) throws -> Duration {
    let start = number * Self.screen
    guard start + Self.screen <= messages.count else { throw Failure("There are not so many screens.") }
    var problem: CardProblem?
    let time = ContinuousClock().measure {
      for message in messages[start..<start + Self.screen] {
        problem = problem ?? cards.card(for: message).problem
      }
    }
    if let problem { throw problem }
    return time
  }

  func close() async { await client.close() }
}
