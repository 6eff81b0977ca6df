import Foundation
import Skein
import SkeinCards

/// Measures the time to make cards in a chat whose list contains many messages of a given number of kinds.
struct CardMeasurement {
  /// The number of messages on a screen.
  static let screen = 30
  private let client: ChatClient
  private let chat: ChatContext
  private let cards: MessageCardViewModelFactory
  private let messages: [ChatMessage]

  /// Fills the list from a server that generates messages. The client and its database are real.
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
    // A plugin must not count as hanging on a busy machine.
    cards = MessageCardViewModelFactory(
      for: chat, registry: registry.cards, timeouts: .init(components: .seconds(60)))
    messages = chat.messages.compactMap(\.message)
    guard messages.count == total else { throw Failure("Received \(messages.count) of \(total) messages.") }
  }

  var count: Int { messages.count }

  /// Makes the cards of one screen for the first time, and returns the time that this takes.
  ///
  /// - Throws: The problem of a card that could not be made, or ``Failure`` if the chat has fewer screens.
  func makeScreen(_ number: Int) throws -> Duration {
    let start = number * Self.screen
    guard start + Self.screen <= messages.count else { throw Failure("There are fewer screens.") }
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
