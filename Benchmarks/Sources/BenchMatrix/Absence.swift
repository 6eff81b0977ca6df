import Foundation
import Skein
import SkeinMatrix

/// Catching up after messages in many rooms, then paging back until every message is stored.
struct Absence {
  let homeserver: Homeserver
  let log: RequestLog
  let rooms: Int
  /// The number of messages in each room.
  let count: Int

  func measure() async throws {
    let (alice, bob) = (try await homeserver.session(), try await homeserver.session())
    let backend = MatrixBackend(bob)
    var refs: [ConversationRef] = []
    for number in 1...rooms {
      let request = ConversationRequest.group(id: "\(number)", title: "room \(number)", members: [alice.user])
      refs.append(try await backend.open(request).ref)
    }
    let before = try await homeserver.client(alice)
    try await before.conversations.open()
    for await update in before.conversations.changes where update.snapshot.count == rooms { break }
    await before.close()

    Output.progress("\(rooms * count) messages are sent while the client is away")
    let calls = PlainCalls(bob)
    try await together(refs) { [count] _, room in
      for number in 1...count { try await calls.send("message \(number)", to: room) }
    }

    Output.progress("the client returns")
    let first = try log.count()
    let start = ContinuousClock.now
    let client = try await homeserver.client(alice)
    try await client.conversations.open()
    let chats = client.conversations.conversations.map(\.id)
    let newest = try await stored(chats, in: client)
    report("the newest of each of \(rooms) rooms", newest, since: start, try log.count() - first)
    for (index, chat) in chats.enumerated() {
      if index % 5 == 0 { Output.progress("the client pages back, room \(index + 1) of \(rooms)") }
      try await pageBack(client.context(for: chat))
    }
    let all = try await stored(chats, in: client)
    report("all, by paging back in each room", all, since: start, try log.count() - first)
    await client.close()
    guard all == rooms * count else { throw BenchError("\(all) of \(rooms * count) messages are stored.") }
  }

  private func report(_ title: String, _ messages: Int, since start: ContinuousClock.Instant, _ requests: Int)
  {
    Output.line(
      title, "\(messages)", "\(requests)", Output.number((ContinuousClock.now - start).seconds))
  }

  private func stored(_ chats: [ConversationID], in client: ChatClient) async throws -> Int {
    try await client.inspection(of: chats).chats.flatMap(\.spans).map(\.count).reduce(0, +)
  }

  /// Pages back to the first message, as a reader does.
  private func pageBack(_ chat: ChatContext) async throws {
    try await chat.open()
    for await update in chat.changes {
      if let gap = update.snapshot.first?.gap { try await chat.fill(gap) }
      if chat.hasMorePreviousMessages { try await chat.fetchMorePreviousMessages() }
      if chat.messages.count == count, chat.messages.allSatisfy({ $0.message != nil }) { return }
    }
  }
}
