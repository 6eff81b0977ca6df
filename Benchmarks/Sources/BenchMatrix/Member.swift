import Foundation
import Skein
import SkeinMatrix
import Synchronization

/// A client that sends to a room, with the times at which it received messages of the other members.
final class Member: Sendable {
  private let client: ChatClient
  private let chat: ChatContext
  private let arrivals = Mutex<[ContinuousClock.Instant]>([])

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
    Task { await follow() }
  }

  /// Notes when messages of others arrive, and fills gaps.
  private func follow() async {
    var known = 0
    for await update in chat.changes {
      let received = update.snapshot.count { $0.message?.isOwn == false }
      if received > known { arrivals.withLock { $0.append(.now) } }
      known = received
      for case .gap(let gap) in update.snapshot where chat.messages.contains(.gap(gap)) {
        // If it fails, the next change tries again.
        try? await chat.fill(gap)
      }
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
  func pauses(around moment: ContinuousClock.Instant) -> (before: Double, after: Double) {
    let times = arrivals.withLock { $0 }
    let pauses = zip(times, times.dropFirst())
    return (
      pauses.filter { $0.1 <= moment }.map { ($0.1 - $0.0).seconds }.max() ?? 0,
      pauses.filter { $0.1 > moment }.map { ($0.1 - $0.0).seconds }.max() ?? 0
    )
  }

  /// Closes the client, which also ends its list of changes.
  func close() async { await client.close() }
}

extension MessageListItem {
  fileprivate var isSent: Bool { message?.status == .sent }
}

extension [Member] {
  /// Every member sends numbered texts. Returns once every member has the messages of all, or after two minutes.
  func exchange(_ count: Int) async throws {
    try await together(self) { number, member in
      try await member.send((1...count).map { "\(number) \($0)" })
    }
    let total = self.count * count
    try await atMost(.seconds(120)) {
      try await together(self) { _, member in await member.shows(total) }
    }
  }
}
