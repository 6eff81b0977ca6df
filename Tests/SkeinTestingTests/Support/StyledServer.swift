import Foundation
import Skein
import SkeinTesting
import Synchronization

/// A server in memory with any style. Each stored change is an entry of `log` or `listings`.
final class StyledServer: Sendable {
  struct Entry: Sendable {
    let room: Int
    /// The new message; nil for all other events.
    var message: IncomingMessage?
    /// The device that sent the message; 0 for other events and for messages posted without a device.
    let device: Int
    /// The only user whom the event concerns; nil for all members of the room.
    let user: UserID?
    /// The entry of the message that was revised.
    var revised: Int?
    /// The stars that users have set on the message, including removed ones.
    var stars: [UserID: Star] = [:]
  }
  struct Star: Sendable {
    /// The time of the star; nil if it was removed.
    var time: Timestamp?
    /// How often it was set or removed.
    var count: Int64 = 0
  }
  struct Room: Sendable {
    var info: ConversationInfo
    var head: Int64 = 0
    var marks: [UserID: Int64] = [:]
    var delivered: [UserID: Int64] = [:]
    var settings: [UserID: ConversationSettings] = [:]
    /// For users who had removed the other side: the entry that shows the room again.
    var shownAgain: [UserID: Int] = [:]
    /// The last invitation of each user who was invited and has not accepted.
    var invitations: [UserID: Invitation] = [:]
    var members: [UserID] { info.members ?? [] }
  }
  struct Invitation: Sendable {
    let inviter: UserID
    /// The place of the invitation in the log.
    let place: Int
    var isPending = true
  }
  /// A change of an account's contact list.
  struct Listing: Sendable {
    let user: UserID
    let contact: Contact.ID
    let isListed: Bool
  }
  struct Upload: Sendable {
    let owner: UserID
    let source: UploadSource
    var bytes = Data()
  }
  /// An event of a push channel.
  enum News: Sendable {
    case change
    case typing(ConversationRef, UserID)
    case presence(UserID, isOnline: Bool)
  }
  private struct Channel {
    let user: UserID
    let device: Int
    let events: AsyncThrowingStream<News, any Error>.Continuation
  }
  struct State: Sendable {
    var users: Set<UserID> = []
    var rooms: [Room] = []
    var log: [Entry] = []
    var listings: [Listing] = []
    var uploads: [String: Upload] = [:]
    var files: [String: Data] = [:]
    /// The files of another server.
    var hosted: [URL: (bytes: Data, type: String)] = [:]
    /// Whether the members of a room receive each other's receipts.
    var tellsReceipts = false
    var hasPositions = true
    /// Rises when a backup is restored.
    var epoch = 1
    /// The users who performed the actions.
    var actions: [ActionID: UserID] = [:]
  }
  private struct Access {
    var isUp = true
    var devices = 0
    /// The devices whose sessions have ended.
    var signedOut: Set<Int> = []
    /// The devices that must renew their sessions.
    var expired: Set<Int> = []
    var owners: [Int: UserID] = [:]
    var channels: [Channel] = []
    var losses: [UserID: AnswerLoss] = [:]

    func tellPresence(of user: UserID, to peers: Set<UserID>) {
      let isOnline = channels.contains { $0.user == user }
      for channel in channels where peers.contains(channel.user) {
        channel.events.yield(.presence(user, isOnline: isOnline))
      }
    }
  }

  /// The maximum number of conversations in one answer of a sync; for an archive, of messages.
  static let batchSize = 5
  let style: ServerStyle
  private let state = Mutex(State())
  private let access = Mutex(Access())
  private let backup = Mutex<State?>(nil)

  init(_ style: ServerStyle) {
    self.style = style
    state.withLock { state in
      state.tellsReceipts = !style.abilities.receipts.isEmpty
      state.hasPositions = style.abilities.ordering != .arrival
    }
  }

  /// One call of a device: its effects are stored and announced before its answer may be lost.
  func call<Answer: Sendable>(
    by device: Int, of user: UserID, _ body: @Sendable (inout State) throws -> Answer
  ) async throws -> Answer {
    try Task.checkCancellation()
    let loss = try access.withLock { access in
      try Self.check(access, device)
      return access.losses.removeValue(forKey: user)
    }
    let (answer, news) = try state.withLock { state in
      let (count, listings) = (state.log.count, state.listings.count)
      let answer = try body(&state)
      let news = state.log[count...].flatMap { $0.user.map { [$0] } ?? state.rooms[$0.room].members }
      return (answer, news + state.listings[listings...].map(\.user))
    }
    access.withLock { access in
      for channel in access.channels where news.contains(channel.user) { channel.events.yield(.change) }
    }
    switch loss {
    case nil: return answer
    case .cut: throw BackendError(.unreachable, "The connection was lost.", outcomeIsUnknown: true)
    case .silence:
      let (answer, never) = AsyncStream.makeStream(of: Never.self)
      defer { never.finish() }
      for await _ in answer {}
      throw CancellationError()
    }
  }

  /// Reports typing to the other connected members of a room.
  func typed(in ref: ConversationRef, by user: UserID) {
    let members = state.withLock { state in state.rooms.first { $0.info.ref == ref }?.members ?? [] }
    guard members.contains(user) else { return }
    access.withLock { access in
      for channel in access.channels where channel.user != user && members.contains(channel.user) {
        channel.events.yield(.typing(ref, user))
      }
    }
  }

  /// The events of a push channel; ends with the connection.
  func channel(of device: Int, _ user: UserID) throws -> AsyncThrowingStream<News, any Error> {
    let peers = peers(of: user)
    return try access.withLock { access in
      try Self.check(access, device)
      let (stream, events) = AsyncThrowingStream.makeStream(
        of: News.self, throwing: (any Error).self)
      for peer in Set(access.channels.map(\.user)).intersection(peers) {
        events.yield(.presence(peer, isOnline: true))
      }
      access.channels.append(Channel(user: user, device: device, events: events))
      access.tellPresence(of: user, to: peers)
      return stream
    }
  }

  private func peers(of user: UserID) -> Set<UserID> {
    state.withLock { state in
      Set(state.rooms.filter { $0.members.contains(user) }.flatMap(\.members)).subtracting([user])
    }
  }

  private static func check(_ access: Access, _ device: Int) throws {
    guard access.isUp else { throw BackendError(.unreachable, "The server is away.") }
    guard !access.signedOut.contains(device) else {
      throw BackendError(.unauthorized, "The session is over.")
    }
    guard !access.expired.contains(device) else {
      throw BackendError(.unauthorized, "The token has expired.")
    }
  }

  func renewSession(of device: Int) throws {
    try access.withLock { access in
      let wasExpired = access.expired.remove(device) != nil
      do {
        try Self.check(access, device)
      } catch {
        if wasExpired { access.expired.insert(device) }
        throw error
      }
    }
  }

  private func end(_ error: BackendError?, _ isConcerned: @Sendable (UserID) -> Bool) {
    let users = self.access.withLock { Set($0.channels.map(\.user)) }.filter(isConcerned)
    let peers = Dictionary(uniqueKeysWithValues: users.map { ($0, self.peers(of: $0)) })
    access.withLock { access in
      for channel in access.channels where isConcerned(channel.user) {
        channel.events.finish(throwing: error)
      }
      access.channels.removeAll { isConcerned($0.user) }
      for (user, peers) in peers { access.tellPresence(of: user, to: peers) }
    }
  }
}

extension StyledServer: TestServer {
  var batchSize: Int? { Self.batchSize }

  func makeUser() async throws -> UserID {
    state.withLock { state in
      let user = UserID(rawValue: "user\(state.users.count)")
      state.users.insert(user)
      return user
    }
  }

  func makeBackend(for user: UserID) async throws -> any ChatBackend {
    let device = access.withLock { access in
      access.devices += 1
      access.owners[access.devices] = user
      return access.devices
    }
    return StyledBackend(server: self, user: user, device: device)
  }
}

extension StyledServer: StoppableServer, CuttableServer, LossyServer, SessionEndingServer,
  TokenExpiringServer, OutsidePostingServer, RestorableServer, FileHostingServer
{
  func stop() async throws {
    access.withLock { $0.isUp = false }
    end(BackendError(.unreachable, "The server went away.")) { _ in true }
  }

  func start() async throws { access.withLock { $0.isUp = true } }

  func hostFile(_ bytes: Data, type: String) async throws -> URL {
    let url = URL(filePath: "/hosted/\(UUID().uuidString)")
    state.withLock { $0.hosted[url] = (bytes, type) }
    return url
  }

  func saveBackup() async throws {
    let state = state.withLock { $0 }
    backup.withLock { $0 = state }
  }

  func restoreBackup() async throws {
    guard let saved = backup.withLock({ $0 }) else { return }
    state.withLock { state in
      let epoch = state.epoch + 1
      state = saved
      state.epoch = epoch
    }
    end(BackendError(.unreachable, "The server was restored.")) { _ in true }
  }

  func cutConnections(of user: UserID) async throws { end(nil) { $0 == user } }

  func loseNextAnswer(to user: UserID, by loss: AnswerLoss) async throws {
    access.withLock { $0.losses[user] = loss }
  }

  func endSessions(of user: UserID) async throws {
    access.withLock { access in
      for (device, owner) in access.owners where owner == user { access.signedOut.insert(device) }
    }
    end(BackendError(.unauthorized, "The session is over.")) { $0 == user }
  }

  func expireTokens(of user: UserID) async throws {
    access.withLock { access in
      for (device, owner) in access.owners where owner == user { access.expired.insert(device) }
    }
  }

  func post(_ payload: Data, kind: MessageKind, from user: UserID, in conversation: ConversationRef)
    async throws
  {
    let message = OutgoingMessage(
      id: MessageID(rawValue: UUID().uuidString), conversation: conversation, kind: kind, payload: payload)
    _ = try await call(by: 0, of: user) { [style] in try $0.take(message, from: user, on: 0, style) }
  }
}
