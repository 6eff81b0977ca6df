import Foundation
import Skein
import SkeinMatrix

/// A client that sends to a room, with the times at which it received messages of the other members.
final class Member: Sendable {
  private let client: ChatClient
  private let chat: ChatContext
  private let arrivals: Task<[ContinuousClock.Instant], Never>

  /// Opens the client, and returns once it has entered the room.
  init(_ homeserver: Homeserver, _ session: MatrixSession, _ room: ConversationRef, total: Int) async throws {
    var options = ChatOptions()
    options.windowSize = total * 2
    client = try await homeserver.client(session, options: options)
    try await client.conversations.open()
    var id: ConversationID?
    for await update in client.conversations.changes {
      id = update.snapshot.first { $0.ref == room }?.id
      if id != nil { break }
    }
    guard let id else { throw BenchError("A client has not entered the room.") }
    let chat = client.context(for: id)
    try await chat.open()
    self.chat = chat
    arrivals = Task {
      var times: [ContinuousClock.Instant] = []
      var known = 0
      for await update in chat.changes {
        let received = update.snapshot.count { $0.message?.isOwn == false }
        if received > known { times.append(.now) }
        known = received
        for case .gap(let gap) in update.snapshot where chat.messages.contains(.gap(gap)) {
          try? await chat.fill(gap)
        }
        if update.snapshot.count(where: \.isSent) == total { break }
      }
      return times
    }
  }

  func send(_ texts: [String]) async throws {
    var last: SentMessage?
    for text in texts { last = try await chat.messenger.send(TextContent(text)) }
    _ = try await last?.result
  }

  /// Returns once the list shows a number of sent messages.
  func shows(_ count: Int) async {
    for await update in chat.changes where update.snapshot.count(where: \.isSent) >= count { return }
  }

  /// The shown texts, in the order of the list.
  var texts: [String] { chat.messages.compactMap { $0.message?.content.displayedText } }

  /// The longest time without a received message before and after a moment, in seconds.
  func pauses(around moment: ContinuousClock.Instant) async -> (before: Double, after: Double) {
    let times = await arrivals.value
    let pauses = zip(times, times.dropFirst())
    return (
      pauses.filter { $0.1 <= moment }.map { ($0.1 - $0.0).seconds }.max() ?? 0,
      pauses.filter { $0.1 > moment }.map { ($0.1 - $0.0).seconds }.max() ?? 0
    )
  }

  func close() async {
    arrivals.cancel()
    await client.close()
  }
}

extension MessageListItem {
  fileprivate var isSent: Bool { message?.status == .sent }
}

extension [Member] {
  /// Every member sends numbered texts. Returns once every member has the messages of all.
  func exchange(_ count: Int) async throws {
    try await together(self) { number, member in
      try await member.send((1...count).map { "\(number) \($0)" })
    }
    let total = self.count * count
    try await within(.seconds(300), or: "A client has not received every message.") {
      try await together(self) { _, member in await member.shows(total) }
    }
  }
}

extension [String] {
  /// Whether the texts of each client are complete, and in the order in which the client sent them.
  func isOrdered(clients: Int, count: Int) -> Bool {
    (0..<clients).allSatisfy { number in
      filter { $0.hasPrefix("\(number) ") } == (1...count).map { "\(number) \($0)" }
    }
  }
}
