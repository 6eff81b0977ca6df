import Foundation
import Skein
import SkeinSimulation

/// A backend whose calls a test may alter one by one; all others reach the server.
struct AlteredBackend: FullBackend {
  var inner: MemoryBackend
  var onRun: (@Sendable (@escaping BackendReceiver) async throws -> Void)?
  var onSync: (@Sendable (SyncCursor?, SyncBatch) throws -> SyncBatch)?
  var onSend: (@Sendable (OutgoingMessage) async throws -> SendReceipt)?
  var onPipeline: (@Sendable ([OutgoingMessage], @escaping SendReporter) async -> Void)?
  var onOpen: (@Sendable (ConversationRequest) async throws -> ConversationInfo)?
  var onMarkRead: (@Sendable (ConversationRef, MessageMark) throws -> Void)?
  /// Called with the epoch of a read mark before the mark reaches the server.
  var onMark: (@Sendable (Epoch?) async throws -> Void)?
  /// Called with a setting before it reaches the server.
  var onSet: (@Sendable (ConversationSetting, Bool, ConversationRef) async throws -> Void)?
  var onHistory: (@Sendable (HistoryAnchor) async throws -> Void)?
  var onPage: (@Sendable (HistoryAnchor, HistoryPage) async throws -> HistoryPage)?
  var onUpload: (@Sendable (UploadSource, UploadToken?, UploadReporter) async throws -> RemoteMedia)?
  var onRehost: (@Sendable (URL) async throws -> RemoteMedia)?
  var onContacts: (@Sendable (ContactVersion?) async throws -> ContactDelta)?
  var onLeave: (@Sendable (ConversationRef) async throws -> Void)?
  /// Called with the cursor of a delivery receipt before the receipt reaches the server.
  var onDelivered: (@Sendable (SyncCursor) async throws -> Void)?
  /// Called with an action before it reaches the server.
  var onPerform: (@Sendable (OutgoingAction) async throws -> Void)?
  /// Called with the server's answer to an action; a throw loses the answer.
  var onPerformed: (@Sendable (IncomingMessage?) async throws -> IncomingMessage?)?
  var onDownload: (@Sendable (RemoteMedia, URL) async throws -> Void)?
  var onRenew: (@Sendable () async throws -> Void)?
  /// Called before an upload reaches the server.
  var beforeUpload: (@Sendable () async throws -> Void)?
  var capabilities: BackendCapabilities { inner.capabilities.routed(through: self) }

  func run(since cursor: SyncCursor?, _ receive: @escaping BackendReceiver) async throws {
    if let onRun { return try await onRun(receive) }
    try await inner.run(since: cursor, receive)
  }
  func sync(since cursor: SyncCursor?, limit: Int) async throws -> SyncBatch {
    let batch = try await inner.sync(since: cursor, limit: limit)
    return try onSync.map { try $0(cursor, batch) } ?? batch
  }
  func history(of conversation: ConversationRef, at anchor: HistoryAnchor, limit: Int) async throws
    -> HistoryPage
  {
    try await onHistory?(anchor)
    let page = try await inner.history(of: conversation, at: anchor, limit: limit)
    return try await onPage?(anchor, page) ?? page
  }
  func send(_ message: OutgoingMessage) async throws -> SendReceipt {
    if let onSend { return try await onSend(message) }
    return try await inner.send(message)
  }
  func send(_ messages: [OutgoingMessage], report: @escaping SendReporter) async {
    if let onPipeline { return await onPipeline(messages, report) }
    if onSend != nil { return await sendEach(messages, report: report) }
    await inner.send(messages, report: report)
  }
  func open(_ request: ConversationRequest) async throws -> ConversationInfo {
    if let onOpen { return try await onOpen(request) }
    return try await inner.open(request)
  }
  func markRead(_ conversation: ConversationRef, upTo mark: MessageMark, in epoch: Epoch?)
    async throws
  {
    try onMarkRead?(conversation, mark)
    try await onMark?(epoch)
    try await inner.markRead(conversation, upTo: mark, in: epoch)
  }
  func set(_ setting: ConversationSetting, to isSet: Bool, of conversation: ConversationRef) async throws {
    try await onSet?(setting, isSet, conversation)
    try await inner.set(setting, to: isSet, of: conversation)
  }
  func noteTyping(in conversation: ConversationRef) async throws {
    try await inner.noteTyping(in: conversation)
  }
  func markDelivered(upTo cursor: SyncCursor) async throws {
    try await onDelivered?(cursor)
    try await inner.markDelivered(upTo: cursor)
  }
  func contacts(since version: ContactVersion?) async throws -> ContactDelta {
    if let onContacts { return try await onContacts(version) }
    return try await inner.contacts(since: version)
  }
  func leave(_ group: ConversationRef) async throws {
    if let onLeave { return try await onLeave(group) }
    try await inner.leave(group)
  }
  func perform(_ action: OutgoingAction) async throws -> IncomingMessage? {
    try await onPerform?(action)
    let message = try await inner.perform(action)
    return try await onPerformed?(message) ?? message
  }
  func renewSession() async throws {
    guard let onRenew else { return try await inner.renewSession() }
    try await onRenew()
  }
  func download(_ media: RemoteMedia, to file: URL) async throws {
    guard let onDownload else { return try await inner.download(media, to: file) }
    try await onDownload(media, file)
  }
  func rehost(_ url: URL) async throws -> RemoteMedia {
    if let onRehost { return try await onRehost(url) }
    return try await inner.rehost(url)
  }
  func upload(_ source: UploadSource, resuming token: UploadToken?, report: UploadReporter) async throws
    -> RemoteMedia
  {
    try await beforeUpload?()
    if let onUpload { return try await onUpload(source, token, report) }
    return try await inner.upload(source, resuming: token, report: report)
  }
}

extension SimulatedStage {
  /// A client whose backend a test alters.
  func client(
    _ user: UserID, on device: String, options: ChatOptions = ChatOptions(),
    altering alter: (inout AlteredBackend) -> Void
  ) async throws -> ChatClient {
    let runtime = runtime(named: device)
    var backend = AlteredBackend(inner: MemoryBackend(user: user, server: server, runtime: runtime))
    alter(&backend)
    return try await open(user, backend, runtime, options)
  }
}
