import Foundation
import Skein

/// One device's access to a ``StyledServer``.
struct StyledBackend: FullBackend {
  let server: StyledServer
  let user: UserID
  let device: Int

  var capabilities: BackendCapabilities { BackendCapabilities(server.style.abilities, by: self) }
  private var style: ServerStyle { server.style }

  func run(since cursor: SyncCursor?, _ receive: @escaping BackendReceiver) async throws {
    let news = try server.channel(of: device, user)
    await receive(.connected)
    var cursor = cursor
    for try await word in news {
      switch (word, style.pushes) {
      case (.typing(let conversation, let user), _):
        await receive(.typing(conversation, user, isTyping: true))
      case (.presence(let user, let isOnline), _):
        await receive(.presence(user, Presence(isOnline: isOnline)))
      case (.change, .pokes): await receive(.poke)
      case (.change, .batches):
        var batch: SyncBatch
        repeat {
          batch = try await sync(since: cursor, limit: 20)
          cursor = batch.next
          await receive(.batch(batch))
        } while batch.hasMore
      }
    }
    try Task.checkCancellation()
  }

  func sync(since cursor: SyncCursor?, limit: Int) async throws -> SyncBatch {
    try await server.call(by: device, of: user) { [user, device, style, size = StyledServer.batchSize] in
      try $0.sync(since: cursor, limit: limit, for: user, on: device, style, size: size)
    }
  }

  func history(of conversation: ConversationRef, at anchor: HistoryAnchor, limit: Int) async throws
    -> HistoryPage
  {
    try await server.call(by: device, of: user) { [user, device, style] in
      try $0.page(of: conversation, at: anchor, limit: limit, for: user, on: device, style)
    }
  }

  func send(_ message: OutgoingMessage) async throws -> SendReceipt {
    try await server.call(by: device, of: user) { [user, device, style] in
      try $0.take(message, from: user, on: device, style)
    }
  }

  func send(_ messages: [OutgoingMessage], report: @escaping SendReporter) async {
    await sendEach(messages, report: report)
  }

  func perform(_ action: OutgoingAction) async throws -> IncomingMessage? {
    try await server.call(by: device, of: user) { [user, device, style] in
      try $0.perform(action, by: user, on: device, style)
    }
  }

  func open(_ request: ConversationRequest) async throws -> ConversationInfo {
    try await server.call(by: device, of: user) { [user] in try $0.open(request, by: user) }
  }

  func markRead(_ conversation: ConversationRef, upTo mark: MessageMark, in epoch: Epoch?) async throws {
    try await server.call(by: device, of: user) { [user] in
      guard epoch?.rawValue ?? "\($0.epoch)" == "\($0.epoch)" else {
        throw BackendError(.permanent, "This mark is of another epoch.")
      }
      try $0.mark(conversation, upTo: mark, by: user)
    }
  }

  func set(_ setting: ConversationSetting, to isSet: Bool, of conversation: ConversationRef) async throws {
    try await server.call(by: device, of: user) { [user] in
      try $0.set(setting, to: isSet, of: conversation, by: user)
    }
  }

  func noteTyping(in conversation: ConversationRef) async throws {
    server.typed(in: conversation, by: user)
  }

  func markDelivered(upTo cursor: SyncCursor) async throws {
    try await server.call(by: device, of: user) { [user] in try $0.deliver(upTo: cursor, to: user) }
  }

  func contacts(since version: ContactVersion?) async throws -> ContactDelta {
    try await server.call(by: device, of: user) { [user] in $0.contacts(since: version, of: user) }
  }

  func renewSession() async throws { try server.renewSession(of: device) }

  func leave(_ group: ConversationRef) async throws {
    try await server.call(by: device, of: user) { [user] in try $0.leave(group, by: user) }
  }
}

extension StyledBackend {
  func upload(_ source: UploadSource, resuming token: UploadToken?, report: UploadReporter) async throws
    -> RemoteMedia
  {
    let bytes = try Data(contentsOf: source.file)
    let id = try await server.call(by: device, of: user) { [user] state in
      if let token, state.uploads[token.rawValue]?.owner == user { return token.rawValue }
      let id = "upload-\(state.uploads.count)"
      state.uploads[id] = StyledServer.Upload(owner: user, source: source)
      return id
    }
    while true {
      let sent = try await server.call(by: device, of: user) { $0.uploads[id]?.bytes.count ?? 0 }
      try await report(
        UploadProgress(token: UploadToken(rawValue: id), sent: Int64(sent), total: source.size))
      if sent == bytes.count { break }
      let part = bytes.dropFirst(sent).prefix(100_000)
      try await server.call(by: device, of: user) { $0.uploads[id]?.bytes.append(part) }
    }
    try await server.call(by: device, of: user) { $0.files[source.hash] = bytes }
    return RemoteMedia(id: source.hash, size: source.size, type: source.type)
  }

  func download(_ media: RemoteMedia, to file: URL) async throws {
    let bytes = try await server.call(by: device, of: user) { $0.files[media.id] }
    guard let bytes else { throw BackendError(.permanent, "There is no such file.") }
    try bytes.write(to: file, options: .atomic)
  }

  func rehost(_ url: URL) async throws -> RemoteMedia {
    let file = try await server.call(by: device, of: user) { state in
      let file = state.hosted[url]
      if let file { state.files[url.absoluteString] = file.bytes }
      return file
    }
    guard let file else { throw BackendError(.permanent, "There is no such file.") }
    return RemoteMedia(id: url.absoluteString, size: Int64(file.bytes.count), type: file.type)
  }
}
