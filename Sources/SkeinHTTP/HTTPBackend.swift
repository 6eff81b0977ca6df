#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import SkeinModel
import SkeinWire

/// The reference protocol over HTTP, with a WebSocket that announces changes.
///
/// 1. Every call ends with an answer, a `BackendError`, or `CancellationError` when its task is cancelled. A
///    download can also end with an error of the file system, an upload with an error of its reporter, and a
///    renewal with an error of the app's closure.
/// 2. An answer of a captive portal or a broken server becomes an error, and never a wrong value.
/// 3. Content is sent byte for byte as its sender encoded it.
/// 4. No error's text contains a token or the text of a message.
public struct HTTPBackend: FullBackend {
  let calls: HTTPCalls
  let options: HTTPOptions
  /// Sends messages over the socket; nil if all messages are sent by HTTP.
  let line: SendLine?
  private let token: CurrentToken
  private let renewal: (@Sendable () async throws -> AccessToken)?

  /// Creates a backend for the server at an `http` or `https` address; sends nothing yet.
  ///
  /// - Parameter renewal: returns a new token after the server has rejected the current token, and stores the new
  ///   token for the next start. The engine makes one such call at a time. Throws `BackendError` with `unauthorized`
  ///   if the user must sign in again.
  public init(
    server: URL, token: AccessToken, options: HTTPOptions = HTTPOptions(),
    renewal: (@Sendable () async throws -> AccessToken)? = nil
  ) {
    self.token = CurrentToken(token)
    self.renewal = renewal
    calls = HTTPCalls(server: server, token: self.token, options: options)
    self.options = options
    line = options.sending == .socket ? SendLine(options) : nil
  }

  /// Creates a backend for a session; sends nothing yet. The backend can renew a session that has a refresh
  /// token.
  ///
  /// - Parameter renewed: receives the renewed session, which the app stores in place of the previous
  ///   session.
  public init(
    _ session: Session, options: HTTPOptions = HTTPOptions(),
    renewed: @escaping @Sendable (Session) async throws -> Void = { _ in }
  ) {
    let accounts = HTTPAccounts(server: session.server, options: options)
    let renew: @Sendable () async throws -> AccessToken = {
      let new = try await accounts.renew(session)
      try await renewed(new)
      return new.token
    }
    self.init(
      server: session.server, token: session.token, options: options,
      renewal: session.refreshToken == nil ? nil : renew)
  }

  /// Renews the token for all later calls. Throws the error of the renewal, or `BackendError` with
  /// `unauthorized` if the backend was created without a renewal.
  public func renewSession() async throws {
    guard let renewal else { throw BackendError(.unauthorized, "This session can't be renewed.") }
    token.value = try await renewal()
  }

  /// All capabilities, with two exceptions: session renewal requires that the backend was created with a
  /// renewal or with a session that has a refresh token, and pipelining requires that ``HTTPOptions/sending``
  /// is `socket`. The server recognizes every message id forever, and numbers messages without holes.
  public var capabilities: BackendCapabilities {
    BackendCapabilities(
      idempotency: .forever, ordering: .dense, sendDeadline: options.sendDeadline, history: .all,
      readMarks: self, readReceipts: true, deliveryReceipts: self, media: self, rehosting: self,
      contacts: self, settings: SupportedSettings(.all, by: self), leaving: self,
      actions: SupportedActions(.all, by: self), replies: true,
      mentions: true, typing: self, presence: true, pipelining: line == nil ? nil : self,
      renewal: renewal == nil ? nil : self)
  }

  /// Fetches the changes since a cursor, up to 100 conversations at a time.
  ///
  /// - Parameter limit: the maximum number of messages of one conversation; clamped to 1 to 200.
  public func sync(since cursor: SyncCursor?, limit: Int) async throws -> SyncBatch {
    var query = [("limit", String(min(max(limit, 1), 200)))]
    if let cursor { query.append(("cursor", cursor.rawValue)) }
    let page = try await calls.get(["sync"], query, as: Wire.SyncPage.self)
    return try HTTPCalls.reading { try SyncBatch(page) }
  }

  /// Fetches one page of a conversation.
  ///
  /// - Parameter limit: the maximum number of messages; clamped to the server's range, 1 to 200.
  public func history(
    of conversation: ConversationRef, at anchor: HistoryAnchor, limit: Int
  ) async throws -> HistoryPage {
    var query = [("limit", String(min(max(limit, 1), 200)))]
    switch anchor {
    case .newest: break
    case .before(let position): query.append(("before", String(position.rawValue)))
    case .after(let position): query.append(("after", String(position.rawValue)))
    case .around(let position): query.append(("around", String(position.rawValue)))
    case .message(let id): query.append(("message", id.rawValue))
    case .time(let time): query.append(("time", String(time.rawValue)))
    case .token: throw BackendError(.unsupported, "This server's history has positions and no tokens.")
    }
    let page = try await calls.get(
      ["conversations", conversation.rawValue, "messages"], query, as: Wire.HistoryPage.self)
    return try HTTPCalls.reading { try HistoryPage(page) }
  }

  /// Sends a message. The message is sent over the socket if ``HTTPOptions/sending`` is `socket`, the socket
  /// is open and the server accepts messages over it. Otherwise, or if the socket closes without an ACK, the
  /// message is sent by HTTP. Sending the message again returns the same receipt.
  ///
  /// - Throws: `BackendError`. If the ACK is overdue, the socket is closed, and the error is `transient` with an
  ///   unknown outcome.
  public func send(_ message: OutgoingMessage) async throws -> SendReceipt {
    // Both channels share the server's table of ids, so the server recognizes a message whose ACK was lost.
    let conversation = Wire.ConversationID(rawValue: message.conversation.rawValue)
    switch try await line?.send(Self.request(message), to: conversation) {
    case .acknowledged(let receipt): return receipt
    case .failed(let mayHaveArrived): return try await post(message, mayHaveArrived: mayHaveArrived)
    case nil: return try await post(message, mayHaveArrived: false)
    }
  }

  static func request(_ message: OutgoingMessage) throws -> Wire.MessageRequest {
    Wire.MessageRequest(
      id: Wire.MessageID(rawValue: message.id.rawValue), kind: message.kind.rawValue,
      content: try text(message.payload), parameters: message.parameters,
      replyTo: try message.replyTo.map(Wire.MessageName.init), mentions: Wire.Mentions(message.mentions),
      isCountable: message.isCountable)
  }

  /// Sends a message by HTTP.
  ///
  /// - Parameter mayHaveArrived: whether the server may have received the message over a socket.
  func post(_ message: OutgoingMessage, mayHaveArrived: Bool) async throws -> SendReceipt {
    do {
      let receipt = try await calls.post(
        ["conversations", message.conversation.rawValue, "messages"], try Self.request(message),
        as: Wire.MessageReceipt.self)
      return SendReceipt(receipt)
    } catch {
      throw Self.error(error, mayHaveArrived: mayHaveArrived)
    }
  }

  /// Returns the error of a failed post. The outcome is unknown if the server may have received the message
  /// before, except if the server refuses the message.
  static func error(_ error: any Error, mayHaveArrived: Bool) -> any Error {
    guard mayHaveArrived, let failure = error as? BackendError,
      ![.idInUse, .permanent].contains(failure.code)
    else { return error }
    return BackendError(
      failure.code, failure.message, retryAfter: failure.retryAfter, outcomeIsUnknown: true, cause: failure)
  }

  static func text(_ payload: Data) throws -> String {
    guard let text = String(validating: payload, as: UTF8.self) else {
      throw BackendError(.permanent, "The content is not UTF-8.")
    }
    return text
  }

  /// Edits, recalls, reacts to or flags a message. The server applies each action id once.
  public func perform(_ action: OutgoingAction) async throws -> IncomingMessage? {
    let message = try await calls.post(
      ["conversations", action.conversation.rawValue, "revisions"], try Wire.RevisionRequest(action),
      as: Wire.Message.self)
    return IncomingMessage(message)
  }

  /// Opens a conversation, or finds the existing one.
  public func open(_ request: ConversationRequest) async throws -> ConversationInfo {
    let conversation = try await calls.post(
      ["conversations"], try Wire.ConversationRequest(request), as: Wire.Conversation.self)
    return try HTTPCalls.reading { try ConversationInfo(conversation) }
  }

  /// Reports this account's typing to the other members of a conversation.
  public func noteTyping(in conversation: ConversationRef) async throws {
    try await calls.send(.post, ["conversations", conversation.rawValue, "typing"])
  }

  /// Reports everything up to a cursor as delivered to this device.
  public func markDelivered(upTo cursor: SyncCursor) async throws {
    let request = Wire.DeliveryRequest(cursor: Wire.Cursor(rawValue: cursor.rawValue))
    try await calls.send(.post, ["deliveries"], body: try Wire.encode(request))
  }

  /// Fetches the changes of the contact list since a version, or the whole list.
  public func contacts(since version: ContactVersion?) async throws -> ContactDelta {
    let page = try await calls.get(
      ["contacts"], version.map { [("since", $0.rawValue)] } ?? [], as: Wire.ContactPage.self)
    return try HTTPCalls.reading { try ContactDelta(page) }
  }

  /// Leaves a group; leaving it again changes nothing.
  public func leave(_ group: ConversationRef) async throws {
    try await calls.send(.delete, ["conversations", group.rawValue, "membership"])
  }

  /// Stores a setting of a conversation for the account.
  public func set(_ setting: ConversationSetting, to isSet: Bool, of conversation: ConversationRef)
    async throws
  {
    var request = Wire.ConversationSettings()
    switch setting {
    case .muted: request.isMuted = isSet
    case .pinned: request.isPinned = isSet
    case .markedUnread: request.isMarkedUnread = isSet
    }
    _ = try await calls.post(
      ["conversations", conversation.rawValue, "settings"], request, as: Wire.ConversationSettings.self)
  }

  /// Moves the account's read mark forward, never back. The mark needs a position.
  public func markRead(_ conversation: ConversationRef, upTo mark: MessageMark, in epoch: Epoch?)
    async throws
  {
    guard let position = mark.position else {
      throw BackendError(.permanent, "A read mark of this server needs a position.")
    }
    let request = Wire.ReadRequest(
      position: position.rawValue, epoch: epoch.map { Wire.Epoch(rawValue: $0.rawValue) })
    _ = try await calls.post(
      ["conversations", conversation.rawValue, "read"], request, as: Wire.ReadMark.self)
  }
}
