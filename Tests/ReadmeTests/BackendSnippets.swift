import Foundation
import Skein
import Synchronization
import Testing

// The backend of HANDBOOK.md, compiled and run: ReadmeTests compares it line by line.

struct BoardBackend: ChatBackend {
  let board: Board

  // The board recognizes no message ids, but the envelope returns them, so lost answers are looked up.
  var capabilities: BackendCapabilities { BackendCapabilities(idempotency: .none, ordering: .dense) }

  // The push channel is a long poll: the board answers it once there is a newer post.
  func run(since cursor: SyncCursor?, _ receive: @escaping BackendReceiver) async throws {
    var last = try await board.lastNumber()
    await receive(.connected)
    while true {
      last = try await board.waitForPost(after: last)
      await receive(.poke)
    }
  }

  func sync(since cursor: SyncCursor?, limit: Int) async throws -> SyncBatch {
    let known = cursor.flatMap { Int($0.rawValue) } ?? 0
    let posts = try await board.posts(after: known)
    let delta = ConversationDelta(
      info: Self.info, count: posts.count, messages: try posts.suffix(limit).map(message))
    return SyncBatch(
      from: cursor, next: SyncCursor(rawValue: "\(posts.last?.number ?? known)"),
      conversations: posts.isEmpty ? [] : [delta])
  }

  func history(of conversation: ConversationRef, at anchor: HistoryAnchor, limit: Int) async throws
    -> HistoryPage
  {
    let end: Int
    switch anchor {
    case .newest: end = .max
    case .before(let position): end = Int(position.rawValue)
    default: throw BackendError(.unsupported, "The board pages back only.")
    }
    let posts = try await board.posts(before: end, limit: limit)
    return HistoryPage(
      messages: try posts.map(message), reachesStart: posts.first?.number ?? 1 == 1,
      reachesEnd: anchor == .newest)
  }

  func send(_ message: OutgoingMessage) async throws -> SendReceipt {
    let number = try await board.post(MessageEnvelope(message).text)
    return SendReceipt(position: Position(rawValue: Int64(number)))
  }

  func open(_ request: ConversationRequest) async throws -> ConversationInfo { Self.info }

  private static let info = ConversationInfo(
    ref: ConversationRef(rawValue: "board"), type: .group, title: "Board")

  private func message(_ post: Board.Post) throws -> IncomingMessage {
    let envelope = MessageEnvelope(text: post.text)
    return IncomingMessage(
      serverID: ServerMessageID(rawValue: "\(post.number)"), messageID: envelope.id, sender: post.author,
      position: Position(rawValue: Int64(post.number)), time: post.time, kind: envelope.kind,
      payload: envelope.payload, parameters: envelope.parameters)
  }
}

/// The handbook's reader would have a server: one room with numbered texts.
struct Board: Sendable {
  struct Post: Sendable {
    let number: Int
    let author: UserID
    let text: String
    var time: Timestamp { Timestamp(milliseconds: Int64(number)) }
  }

  let user: UserID
  let server: BoardServer

  func lastNumber() async throws -> Int { server.posts.count }

  func posts(after number: Int) async throws -> [Post] { Array(server.posts.dropFirst(number)) }

  func posts(before number: Int, limit: Int) async throws -> [Post] {
    server.posts.prefix { $0.number < number }.suffix(limit)
  }

  func post(_ text: String) async throws -> Int { server.add(text, by: user) }

  func waitForPost(after number: Int) async throws -> Int {
    for await count in server.counts() where count > number { return count }
    throw CancellationError()
  }
}

final class BoardServer: Sendable {
  private struct State {
    var posts: [Board.Post] = []
    var polls: [AsyncStream<Int>.Continuation] = []
  }
  private let state = Mutex(State())

  var posts: [Board.Post] { state.withLock { $0.posts } }

  func add(_ text: String, by author: UserID) -> Int {
    state.withLock { state in
      state.posts.append(Board.Post(number: state.posts.count + 1, author: author, text: text))
      for poll in state.polls { poll.yield(state.posts.count) }
      return state.posts.count
    }
  }

  /// The number of posts, now and after each further one.
  func counts() -> AsyncStream<Int> {
    let (counts, poll) = AsyncStream.makeStream(of: Int.self)
    state.withLock { state in
      poll.yield(state.posts.count)
      state.polls.append(poll)
    }
    return counts
  }
}

@Suite("The handbook's backend")
struct BackendSnippetTests {
  @Test("Two clients talk over it, and a message of a kind of their own comes back whole")
  func runs() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "skein-board-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = BoardServer()
    func open(_ user: UserID) async throws -> ChatClient {
      let directory = folder.appending(path: user.rawValue)
      let client = try await ChatClient.open(
        account: user, backend: BoardBackend(board: Board(user: user, server: server)),
        kinds: Snippets.kinds(), runtime: .system(directory: directory))
      client.start()
      return client
    }
    let (alice, bob) = (try await open("alice"), try await open("bob"))
    let poll = Poll(question: "Lunch?", answers: ["Noodles", "Rice"])
    let chat = try await alice.open(.group(id: "board", title: "Board", members: ["bob"]))
    let sent = try await alice.send(poll, to: chat).result
    #expect(sent.status == .sent)
    for await update in bob.conversations.changes {
      guard let message = update.snapshot.first?.lastMessage else { continue }
      #expect(message.content.as(Poll.self) == poll)
      #expect(message.sender == "alice" && message.messageID == sent.messageID)
      break
    }
    await alice.close()
    await bob.close()
  }
}
