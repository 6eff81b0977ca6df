#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage

/// Gets contents ready for the server: nothing is posted before every attachment it names is there.
struct MessagePreparation: Sendable {
  private let store: ChatStore
  private let uploads: AttachmentUploads

  init(store: ChatStore, backend: any ChatBackend) {
    self.store = store
    uploads = AttachmentUploads(store: store, backend: backend)
  }

  /// Where copies of attachments wait for their upload, so that a message does not depend on its sender's files.
  private var outgoing: URL { store.runtime.directory.appending(path: "outgoing") }

  /// Encodes a content for the database; its local files are copied to where they can't vanish.
  func draft(_ content: some MessageContent, as id: MessageID) throws -> Draft {
    var content = content
    let attachments = content.allAttachments
    let kept = try attachments.enumerated().map { index, attachment in
      try keep(attachment, as: "\(id.rawValue)-\(index)")
    }
    if !kept.isEmpty { content.replaceAttachments(kept) }
    return Draft(
      messageID: id, kind: type(of: content).kind, payload: try encode(content),
      needsPreparation: kept.contains { $0.media == nil })
  }

  /// Brings to the media server what is not there yet, one attachment after the other, and stores each step before the next.
  ///
  /// - Parameter progress: hears the part of this call's attachments that is there, 0 to 1.
  func prepare(
    _ row: MessageRow, by operation: OperationID, progress: @escaping AttachmentProgress = { _ in }
  ) async throws {
    guard case .known(var content) = store.kinds.decode(row.kind, row.payload) else {
      throw SendFailure(.kindUnknown, "This version of the app does not know the kind \(row.kind.rawValue).")
    }
    var attachments = content.allAttachments
    let missing = attachments.indices.filter { attachments[$0].media == nil }
    // The kind may name other places than when the message was composed: nothing is left to prepare then.
    if missing.isEmpty { try await save(row.payload, by: operation, isComplete: true) }
    for (done, index) in missing.enumerated() {
      func stored(_ media: RemoteMedia, _ upload: UploadRow? = nil) async throws {
        attachments[index] = .remote(media)
        content.replaceAttachments(attachments)
        try await save(try encode(content), by: operation, isComplete: index == missing.last, upload)
      }
      switch attachments[index] {
      case .remote: break
      case .thirdParty(let url):
        let media = try await uploads.copy(url)
        progress(Double(done + 1) / Double(missing.count))
        try await stored(media)
      case .local(let file):
        do {
          try await uploads.bring(file) {
            progress((Double(done) + $0) / Double(missing.count))
          } save: {
            try await stored($0, $1)
          }
        } catch let error as ChatError where error.code == .attachmentUnreadable {
          throw SendFailure(.attachmentUnreadable, error.message)
        }
      }
    }
  }

  private func save(
    _ payload: Data, by operation: OperationID, isComplete: Bool, _ upload: UploadRow? = nil
  ) async throws {
    try await store.write(.powerCut) { transaction in
      try transaction.prepared(operation, payload: payload, isComplete: isComplete)
      if let upload { try transaction.upload(upload) }
    }
  }

  /// Removes the copies of a message that does not need them any more.
  func discardCopies(of id: MessageID) {
    for name in copies() where name.hasPrefix("\(id.rawValue)-") {
      try? FileManager.default.removeItem(at: outgoing.appending(path: name))
    }
  }

  /// Removes copies that no message waits with: those of a send that was killed before it was stored, of one that was
  /// taken back or cleared, and of one that sync brought before its receipt. To be called before anything can be sent.
  func discardUnneededCopies() async throws {
    let names = copies()
    guard !names.isEmpty else { return }
    let waiting = try await store.read { database in
      try database.rows(
        (MessageID.self), "SELECT message_id FROM message WHERE sender = ? AND status <> ?", store.account,
        MessageStatus.sent)
    }
    let needed = Set(waiting)
    for name in names {
      guard let end = name.lastIndex(of: "-"), !needed.contains(MessageID(rawValue: String(name[..<end])))
      else { continue }
      try? FileManager.default.removeItem(at: outgoing.appending(path: name))
    }
  }

  private func copies() -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: outgoing.path)) ?? []).sorted()
  }

  private func keep(_ attachment: MessageAttachment, as name: String) throws -> MessageAttachment {
    guard case .local(let file) = attachment else { return attachment }
    try FileManager.default.createDirectory(at: outgoing, withIntermediateDirectories: true)
    let copy = outgoing.appending(path: name)
    do {
      try DurableFile.copy(from: file.url, to: copy)
    } catch let error as StorageError where error.code == .full {
      throw error
    } catch {
      throw ChatError(.attachmentUnreadable, "The attached file can't be read: \(file.url.lastPathComponent)")
    }
    return .local(LocalFile(url: copy, type: file.type))
  }

  private func encode(_ content: some MessageContent) throws -> Data {
    do {
      return try KindRegistry.encode(content)
    } catch {
      throw ChatError(
        .contentNotEncodable, "The content of kind \(type(of: content).kind.rawValue) is no JSON.")
    }
  }
}
