#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage

/// Gets contents ready for the server: nothing is posted before every attachment it names is there.
struct MessagePreparation: Sendable {
  let kinds: KindRegistry
  let backend: any ChatBackend
  let directory: URL

  /// Where copies of attachments wait for their upload, so that a message does not depend on its sender's files.
  private var outgoing: URL { directory.appending(path: "outgoing") }

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

  /// Uploads what is still local, one attachment after the other; `save` stores each step before the next.
  func prepare(
    _ row: MessageRow, save: (_ payload: Data, _ isComplete: Bool) async throws -> Void
  ) async throws {
    guard case .known(var content) = kinds.decode(row.kind, row.payload) else {
      throw SendFailure(.kindUnknown, "This version of the app does not know the kind \(row.kind.rawValue).")
    }
    var attachments = content.allAttachments
    let local = attachments.indices.filter { attachments[$0].media == nil }
    // The kind may name other places than when the message was composed: nothing is left to prepare then.
    if local.isEmpty { try await save(row.payload, true) }
    for index in local {
      guard case .local(let file) = attachments[index] else { continue }
      guard FileManager.default.isReadableFile(atPath: file.url.path) else {
        throw SendFailure(.attachmentUnreadable, "An attached file is gone or can't be read.")
      }
      attachments[index] = .remote(try await backend.upload(file))
      content.replaceAttachments(attachments)
      try await save(try encode(content), index == local.last)
    }
  }

  /// Removes the copies of a message that does not need them any more.
  func discardCopies(of id: MessageID) {
    for name in copies() where name.hasPrefix("\(id.rawValue)-") {
      try? FileManager.default.removeItem(at: outgoing.appending(path: name))
    }
  }

  /// Removes copies that outlived their message's way, as when sync brought it before its receipt.
  func discardCopiesOfSentMessages(_ store: ChatStore) async throws {
    for name in copies() {
      guard let end = name.lastIndex(of: "-") else { continue }
      let id = MessageID(rawValue: String(name[..<end]))
      let isSent = try await store.read {
        try $0.first(
          MessageRow.self, "WHERE sender = ? AND message_id = ? AND status = ?", store.account, id,
          MessageStatus.sent) != nil
      }
      if isSent { discardCopies(of: id) }
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
