#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinModel

/// The backend of one process of a device: the server, behind a ``Link``.
struct LinkedBackend: FullBackend {
  let user: UserID
  let server: MemoryServer
  let link: Link
  let process: SimulatedProcess
  let ledger: Ledger
  let clears: ClearRecord
  let abilities: ServerAbilities
  /// Whether the device's database has an operation for a message, or the message needs no operation.
  let isStored: @Sendable (MessageID) -> Bool
  /// Returns what the device's database says about the upload of a file.
  let storedUpload: @Sendable (UploadSource) -> StoredUpload
  /// Whether the device has the participant ``Stamping``.
  let isStamping: Bool
  /// Nil if messages are sent as requests.
  let socket: LinkSocket?

  var capabilities: BackendCapabilities { BackendCapabilities(abilities, by: self) }
  private var order: ServerOrder { server.order }

  func run(since cursor: SyncCursor?, _ receive: @escaping BackendReceiver) async throws {
    let stream = try await link.call(.connecting, in: process, repeats: false) { [server, user, link] in
      try server.connect(user, on: link.device)
    }
    let sends = socket?.opened()
    defer { if let sends { socket?.closed(sends) } }
    var pushed = cursor
    for await event in stream {
      try process.checkAlive()
      if case .typing = event, link.ignoresPushes { continue }
      guard event == .poke else {
        await receive(event)
        continue
      }
      // A push contains the changes since the previous push, not the changes since the client's cursor. The
      // client may have missed the previous push.
      let batch = socket == nil ? nil : try server.sync(since: pushed, limit: 20, for: user)
      pushed = batch?.next
      try await link.push(batch, in: process, showsHoles: order == .dense) { event in
        guard case .batch(let batch) = event else { return await receive(event) }
        recordReceived(batch)
        await receive(.batch(order.shown(batch)))
      }
    }
    try link.check()
  }

  func sync(since cursor: SyncCursor?, limit: Int) async throws -> SyncBatch {
    let batch = try await link.call(.catchingUp, in: process, repeats: false) { [server, user] in
      try server.sync(since: cursor, limit: limit, for: user)
    }
    recordReceived(batch)
    let shown = order.shown(batch)
    return link.oddAnswer(during: .catchingUp, isOrdered: order.hasPositions)?.change(shown) ?? shown
  }

  private func recordReceived(_ batch: SyncBatch) {
    for delta in batch.conversations {
      link.note(
        "receives \(Self.numbers(delta.messages)) of \(delta.count ?? -1) new in \(delta.info.ref.rawValue)")
      clears.receives(delta.messages, of: delta.info.ref)
    }
    for ref in batch.left { link.note("receives the end of \(ref.rawValue)") }
    for invitation in batch.invitations {
      link.note("receives the invitation to \(invitation.info.ref.rawValue)")
    }
  }

  private static func numbers(_ messages: [IncomingMessage]) -> [Int64] {
    messages.compactMap(\.serverID?.position)
  }

  func history(of conversation: ConversationRef, at anchor: HistoryAnchor, limit: Int) async throws
    -> HistoryPage
  {
    let page = try await link.call(.loading, in: process, repeats: false) { [server, order] in
      let anchor = try order.meant(anchor, in: server.epoch)
      return try server.history(of: conversation, at: anchor, limit: limit, for: user)
    }
    link.note("loads \(Self.numbers(page.messages)) of \(conversation.rawValue) at \(anchor)")
    clears.receives(page.messages, of: conversation)
    let shown = order.shown(page)
    return link.oddAnswer(during: .loading, isOrdered: order.hasPositions)?.change(shown) ?? shown
  }

  func send(_ message: OutgoingMessage) async throws -> SendReceipt {
    try process.checkAlive()
    ledger.leaves(message, from: link.device, isStored: isStored(message.id), isStamping: isStamping)
    return try await noting(message) { try await post(message) }
  }

  /// Sends each message over the socket without waiting for the answers to earlier messages. If no socket is
  /// open, sends the messages one by one.
  func send(_ messages: [OutgoingMessage], report: @escaping SendReporter) async {
    guard let socket, let sends = socket.sends else { return await sendEach(messages, report: report) }
    let numbered = Dictionary(messages.enumerated().map { ($1.id, $0) }) { $1 }
    link.begin(.pipelining)
    defer { link.end(.pipelining) }
    await sends.send(messages.map(\.id), within: .seconds(20)) { id in
      guard let number = numbered[id] else { return }
      let message = messages[number]
      try process.checkAlive()
      ledger.leaves(message, from: link.device, isStored: isStored(id), isStamping: isStamping)
      try await transmit(message, after: number == 0 ? nil : messages[number - 1].id, over: socket)
    } report: { id, outcome in
      guard let number = numbered[id] else { return }
      do {
        await report(id, .success(try await noting(messages[number]) { try outcome.get() }))
      } catch {
        await report(id, .failure(error))
      }
    }
  }

  /// Performs a post, and tells the ledger if the post fails.
  private func noting(_ message: OutgoingMessage, _ post: () async throws -> SendReceipt) async throws
    -> SendReceipt
  {
    do {
      return try await post()
    } catch {
      ledger.failsToSend(error, of: message, on: link.device)
      let isKnown = (error as? BackendError).map { !$0.outcomeIsUnknown } ?? false
      if !isKnown { ledger.lostTrack(of: message.id, from: link.device) }
      // The server also refuses a message if the user has left the group on another device. This device
      // may not know that yet.
      if (error as? BackendError)?.code == .permanent { ledger.refused(message.id, from: link.device) }
      throw error
    }
  }

  private func post(_ message: OutgoingMessage) async throws -> SendReceipt {
    guard let socket, let sends = socket.sends else {
      return try await link.call(
        .posting, in: process, repeats: abilities.idempotency != .none, isRefusable: isRefusable(message),
        arrival(of: message, after: nil))
    }
    link.begin(.acknowledging)
    defer { link.end(.acknowledging) }
    return try await sends.send(message.id, within: .seconds(20)) {
      try await transmit(message, after: nil, over: socket)
    }
  }

  private func transmit(_ message: OutgoingMessage, after previous: MessageID?, over socket: LinkSocket)
    async throws
  {
    try await link.transmit(
      in: process, socket.runtime, repeats: abilities.idempotency != .none,
      isRefusable: isRefusable(message), arrival(of: message, after: previous)
    ) { socket.take($0, of: message.id) }
  }

  /// The work of the server once a message has arrived.
  private func arrival(of message: OutgoingMessage, after previous: MessageID?)
    -> @Sendable () throws -> SendReceipt
  {
    { [server, user, ledger, link] in
      ledger.arrives(message, from: link.device, of: user, on: server)
      return server.order.shown(try server.send(message, from: user, after: previous))
    }
  }

  private func isRefusable(_ message: OutgoingMessage) -> @Sendable () -> Bool {
    { [server, user, ledger, link] in
      guard !server.knows(message.id, from: user) else { return false }
      ledger.refused(message.id, from: link.device)
      return true
    }
  }

  func perform(_ action: OutgoingAction) async throws -> IncomingMessage? {
    do {
      return try await link.call(.revising, in: process, repeats: true) { [server, user, ledger, link] in
        let message = try server.perform(action, by: user)
        ledger.performed(action, message, for: link.device)
        return server.order.shown(message)
      }
    } catch let error as BackendError where error.code == .permanent {
      if let id = action.message.messageID { ledger.refusesRevision(of: id, from: link.device) }
      throw error
    }
  }

  func open(_ request: ConversationRequest) async throws -> ConversationInfo {
    try await link.call(.founding, in: process, repeats: true) { [server, user] in
      server.order.shown(try server.open(request, by: user))
    }
  }

  func markRead(_ conversation: ConversationRef, upTo mark: MessageMark, in epoch: Epoch?)
    async throws
  {
    try await link.call(.marking, in: process, repeats: true) { [server, user] in
      try server.markRead(conversation, upTo: server.order.meant(mark), in: epoch, by: user)
    }
  }

  func set(_ setting: ConversationSetting, to isSet: Bool, of conversation: ConversationRef) async throws {
    try await link.call(.marking, in: process, repeats: true) { [server, user] in
      try server.set(setting, to: isSet, of: conversation, by: user)
    }
  }

  func noteTyping(in conversation: ConversationRef) async throws {
    try await link.call(.marking, in: process, repeats: true) { [server, user] in
      try server.noteTyping(in: conversation, by: user)
    }
  }

  func markDelivered(upTo cursor: SyncCursor) async throws {
    try await link.call(.marking, in: process, repeats: true) { [server, user] in
      try server.markDelivered(upTo: cursor, to: user)
    }
  }

  func contacts(since version: ContactVersion?) async throws -> ContactDelta {
    let delta = try await link.call(.catchingUp, in: process, repeats: false) { [server, user] in
      try server.contacts(since: version, for: user)
    }
    link.note(
      "receives the contacts \(delta.changed.map(\.id)) without \(delta.removed), all: \(delta.isFull)")
    return delta
  }

  func leave(_ group: ConversationRef) async throws {
    try await link.call(.founding, in: process, repeats: true) { [server, user] in
      try server.leave(group, by: user)
    }
  }

  func renewSession() async throws { try await link.renewSession(in: process) }

  func download(_ media: RemoteMedia, to file: URL) async throws {
    throw BackendError(.unsupported, "This server keeps no bytes of files.")
  }

  func rehost(_ url: URL) async throws -> RemoteMedia {
    let picture = String(url.path.dropFirst())
    do {
      return try await link.call(.uploading, in: process, repeats: true) { [server] in
        try server.copy(picture)
      }
    } catch {
      ledger.failsToUpload(picture, error, on: link.device)
      throw error
    }
  }

  func upload(_ source: UploadSource, resuming token: UploadToken?, report: UploadReporter) async throws
    -> RemoteMedia
  {
    try process.checkAlive()
    ledger.leaves(source, resuming: token, from: link.device, stored: storedUpload(source))
    // A file is read while it is sent, and exists on the server only once the upload is complete.
    do {
      let begun = try await link.call(.uploading, in: process, repeats: true) { [server] in
        try server.beginUpload(source, resuming: token)
      }
      try await report(begun)
      return try await link.call(.uploading, in: process, repeats: true) { [server] in
        try server.finishUpload(source, as: begun.token)
      }
    } catch {
      let picture = (try? Data(contentsOf: source.file)).map { String(decoding: $0, as: UTF8.self) }
      ledger.failsToUpload(picture ?? source.hash, error, on: link.device)
      throw error
    }
  }
}
