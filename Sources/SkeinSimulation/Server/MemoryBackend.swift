#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
package import SkeinModel

/// One user's access to a ``MemoryServer``; the runtime decides how long each call takes.
package struct MemoryBackend: FullBackend {
  /// The account.
  package let user: UserID
  /// The server.
  package let server: MemoryServer
  /// Decides how long a call takes.
  package let runtime: Runtime
  /// The declared abilities.
  package var abilities: ServerAbilities

  /// Creates a backend of one user.
  package init(
    user: UserID, server: MemoryServer, runtime: Runtime,
    abilities: ServerAbilities = ServerAbilities(
      idempotency: .forever, ordering: .dense, readMarks: true, media: true,
      history: .all, settings: .all, actions: .all, replies: true, mentions: true, receipts: .all,
      typing: true,
      presence: true)
  ) {
    self.user = user
    self.server = server
    self.runtime = runtime
    self.abilities = abilities
  }

  package var capabilities: BackendCapabilities { BackendCapabilities(abilities, by: self) }

  package func run(since cursor: SyncCursor?, _ receive: @escaping BackendReceiver) async throws {
    try await travel()
    for await event in try server.connect(user) { await receive(event) }
  }

  package func sync(since cursor: SyncCursor?, limit: Int) async throws -> SyncBatch {
    try await roundTrip { try server.sync(since: cursor, limit: limit, for: user) }
  }

  package func history(of conversation: ConversationRef, at anchor: HistoryAnchor, limit: Int) async throws
    -> HistoryPage
  {
    try await roundTrip { try server.history(of: conversation, at: anchor, limit: limit, for: user) }
  }

  package func send(_ message: OutgoingMessage) async throws -> SendReceipt {
    try await roundTrip { try server.send(message, from: user) }
  }

  package func send(_ messages: [OutgoingMessage], report: @escaping SendReporter) async {
    try? await travel()
    for (index, message) in messages.enumerated() {
      let outcome = Result<SendReceipt, any Error> {
        try Task.checkCancellation()
        return try server.send(message, from: user, after: index == 0 ? nil : messages[index - 1].id)
      }
      try? await travel()
      await report(message.id, outcome)
    }
  }

  package func perform(_ action: OutgoingAction) async throws -> IncomingMessage? {
    try await roundTrip { try server.perform(action, by: user) }
  }

  package func open(_ request: ConversationRequest) async throws -> ConversationInfo {
    try await roundTrip { try server.open(request, by: user) }
  }

  package func markRead(_ conversation: ConversationRef, upTo mark: MessageMark, in epoch: Epoch?)
    async throws
  {
    try await roundTrip { try server.markRead(conversation, upTo: mark, in: epoch, by: user) }
  }

  package func set(_ setting: ConversationSetting, to isSet: Bool, of conversation: ConversationRef)
    async throws
  {
    try await roundTrip { try server.set(setting, to: isSet, of: conversation, by: user) }
  }

  package func noteTyping(in conversation: ConversationRef) async throws {
    try await roundTrip { try server.noteTyping(in: conversation, by: user) }
  }

  package func markDelivered(upTo cursor: SyncCursor) async throws {
    try await roundTrip { try server.markDelivered(upTo: cursor, to: user) }
  }

  package func contacts(since version: ContactVersion?) async throws -> ContactDelta {
    try await roundTrip { try server.contacts(since: version, for: user) }
  }

  package func leave(_ group: ConversationRef) async throws {
    try await roundTrip { try server.leave(group, by: user) }
  }

  package func upload(_ source: UploadSource, resuming token: UploadToken?, report: UploadReporter)
    async throws -> RemoteMedia
  {
    try await roundTrip { try server.upload(source) }
  }

  // MARK: Unsupported calls; a test that needs an unsupported call wraps this backend

  package func download(_ media: RemoteMedia, to file: URL) async throws {
    throw BackendError(.unsupported, "This server keeps no bytes of files.")
  }

  package func rehost(_ url: URL) async throws -> RemoteMedia {
    throw BackendError(.unsupported, "This server copies no files.")
  }

  package func renewSession() async throws {
    throw BackendError(.unsupported, "This server has no sessions.")
  }

  private func roundTrip<Answer: Sendable>(_ call: () throws -> Answer) async throws -> Answer {
    try await travel()
    let answer = try call()
    try await travel()
    return answer
  }

  /// Waits for the travel time in one direction, 0 to 20 ms.
  private func travel() async throws {
    try await runtime.sleep(for: .microseconds(Int64(runtime.random() % 20_000)))
  }
}
