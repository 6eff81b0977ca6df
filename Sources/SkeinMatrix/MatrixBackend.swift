public import SkeinModel
import SkeinTransport

/// A backend for Matrix homeservers, by the client-server API from version 1.11 on.
///
/// 1. Conversations are the rooms that the account has joined, and those that it is invited to.
/// 2. Content is returned byte for byte, up to 30,000 bytes. Other Matrix clients show a text or a file in its
///    place.
/// 3. Nothing is sent into an encrypted room, and messages of such rooms can't be read.
/// 4. No error's text contains a token or the text of a message.
public struct MatrixBackend: Sendable {
  let user: UserID
  let options: MatrixOptions
  let calls: MatrixCalls
  /// Calls that may stay unanswered for long: polls, and first syncs.
  private(set) var polls: MatrixCalls
  /// Uploads and downloads, which take long on slow links: no other call waits for them.
  private(set) var media: MatrixCalls
  let memory = RoomMemory()
  let directs: DirectRooms
  private let accounts: MatrixAccounts
  private let session: CurrentSession
  private let renewed: @Sendable (MatrixSession) async throws -> Void

  /// Creates a backend for a session; sends nothing yet.
  ///
  /// - Parameter renewed: receives the renewed session, which the app stores in place of the previous session. The renewed
  ///   session is used when the call returns. If the call throws, the previous session is renewed again later.
  public init(
    _ session: MatrixSession, options: MatrixOptions = MatrixOptions(),
    renewed: @escaping @Sendable (MatrixSession) async throws -> Void = { _ in }
  ) {
    self.init(
      session, options: options, transport: options.transport(),
      polling: options.transport(waiting: options.pollTimeout), media: options.transport(), renewed: renewed)
  }

  init(
    _ session: MatrixSession, options: MatrixOptions, transport: any HTTPTransport,
    polling: any HTTPTransport, media: (any HTTPTransport)? = nil,
    renewed: @escaping @Sendable (MatrixSession) async throws -> Void = { _ in }
  ) {
    user = session.user
    self.options = options
    self.session = CurrentSession(session)
    calls = MatrixCalls(
      homeserver: session.homeserver, session: self.session, options: options, transport: transport)
    (polls, self.media) = (calls, calls)
    (polls.transport, polls.isRepeating) = (polling, false)
    self.media.transport = media ?? transport
    directs = DirectRooms(calls, user)
    accounts = MatrixAccounts(homeserver: session.homeserver, options: options, transport: transport)
    self.renewed = renewed
  }
}

extension MatrixBackend: ChatBackend, ReadMarkBackend, TypingBackend, GroupLeavingBackend,
  ConversationSettingsBackend, MessageActionBackend, MediaBackend, SessionRenewalBackend
{
  /// Homeservers give messages no positions, and recognize a repeated message of the same device for a day.
  public var capabilities: BackendCapabilities {
    BackendCapabilities(
      // Synapse forgets transaction ids after 24 hours.
      idempotency: .window(.seconds(20 * 3600)), ordering: .arrival,
      // Syncs have the order in which the homeserver received the events, pages that of the room's graph.
      reordersHistory: true, echoesMessageID: .always,
      // A send may look for an invitation, accept it, look for the room that replaces the room, join it, and check the room's
      // encryption and the thread first.
      sendDeadline: options.deadline * 20,
      // An event has at most 65,536 bytes, and the event of an edit contains the text twice.
      largestContent: 30_000, history: [.message, .time], readMarks: self, readReceipts: true, media: self,
      settings: SupportedSettings(.all, by: self), leaving: self, actions: SupportedActions(.all, by: self),
      replies: true, mentions: true, typing: self,
      presence: true, renewal: session.value.refreshToken == nil ? nil : self)
  }

  /// Renews the access token with the refresh token for all later calls, once the app has stored the renewed session: the
  /// homeserver revokes the old refresh token only when the new access token is used.
  public func renewSession() async throws {
    let new = try await accounts.renew(session.value)
    try await renewed(new)
    session.value = new
  }
}
