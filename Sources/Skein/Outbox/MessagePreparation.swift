#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage

/// Prepares messages for posting: a message is posted only after all its attachments are uploaded.
struct MessagePreparation: Sendable {
  let store: ChatStore
  private let uploads: AttachmentUploads

  init(store: ChatStore, backend: any ChatBackend) {
    self.store = store
    uploads = AttachmentUploads(store: store, backend: backend)
  }

  /// The folder for copies of attached files. A copy is kept until its message is sent or removed, so that
  /// the message does not depend on the original file.
  private var outgoing: URL { store.runtime.directory.appending(path: "outgoing") }

  /// Encodes a message for the database, and copies the attached local files to the folder `outgoing`.
  func encode(_ screened: ScreenedDraft) throws -> EncodedMessage {
    let message = screened.draft
    try checkSize(of: encode(message.content))
    let mayCopy = message.content.attachments?.contains { $0.media == nil } == true
    let copying = mayCopy ? lockCopies(.shared) : nil
    let content = try keepAttachments(of: message.content, as: message.messageID)
    let attachments = content.attachments ?? []
    return EncodedMessage(
      messageID: message.messageID, kind: content.kind, payload: try encode(content),
      parameters: StoredParameters.encode(message.parameters), mentions: content.mentioned.stored,
      needsPreparation: attachments.contains { $0.media == nil }
        || store.participants.needPreparation(message),
      isMedia: !attachments.isEmpty, rejection: screened.rejection, copying: copying)
  }

  /// Encodes a stored message again. If a participant replaced its content, or a file is still to be uploaded, the content is
  /// encoded anew: a copy of an unsent message gets files of its own. Otherwise its bytes stay.
  func encode(_ screened: ScreenedDraft, again row: MessageRow) throws -> EncodedMessage {
    if screened.isReplaced { return try encode(screened) }
    guard let attachments = screened.draft.content.attachments else {
      // This version of the app does not know the kind, and so can't upload a file that is still to be uploaded.
      return stored(screened, row, needsUpload: namesCopy(row), mentions: row.mentions)
    }
    guard attachments.contains(where: { $0.media == nil }) else {
      return stored(screened, row, needsUpload: false, mentions: row.mentions)
    }
    var message = try encode(screened)
    message.mentions = row.mentions
    return message
  }

  /// Encodes a copy of a message. If no participant replaced the content, nothing is uploaded for the copy:
  /// the operation of the source uploads the files.
  func encode(_ screened: ScreenedDraft, copying source: MessageRow) throws -> EncodedMessage {
    // A copy mentions nobody, unless a participant changed the mentions.
    guard screened.isReplaced else { return stored(screened, source, needsUpload: false, mentions: nil) }
    let original = store.kinds.decode(source.kind, source.payload)
    let named = original.attachments ?? []
    let isTaken =
      screened.draft.content.attachments?.contains { $0.media == nil && named.contains($0) } == true
    // Files that another user's message refers to must not be uploaded from this device.
    if source.status == .sent, isTaken { throw ChatError.attachmentElsewhere }
    var copy = try encode(screened)
    if screened.draft.content.mentioned == original.mentioned { copy.mentions = nil }
    return copy
  }

  private func stored(_ screened: ScreenedDraft, _ row: MessageRow, needsUpload: Bool, mentions: Data?)
    -> EncodedMessage
  {
    EncodedMessage(
      messageID: screened.draft.messageID, kind: row.kind, payload: row.payload,
      parameters: StoredParameters.encode(screened.draft.parameters), mentions: mentions,
      needsPreparation: needsUpload || store.participants.needPreparation(screened.draft),
      isMedia: needsUpload || screened.draft.content.attachments?.isEmpty == false,
      rejection: screened.rejection)
  }

  /// Uploads the attachments that are not on the media server yet, one after the other. Each result is stored
  /// before the next upload begins.
  ///
  /// - Parameter progress: receives the uploaded fraction of all attachments, 0 to 1.
  /// - Returns: whether the media server has received anything.
  func uploadAttachments(
    of row: MessageRow, by operation: OperationID, progress: @escaping AttachmentProgress = { _ in }
  ) async throws -> Bool {
    guard case .known(var content) = store.kinds.decode(row.kind, row.payload) else {
      throw SendFailure(.kindUnknown, "This version of the app does not know the kind \(row.kind.rawValue).")
    }
    var attachments = content.allAttachments
    let missing = attachments.indices.filter { attachments[$0].media == nil }
    let before = attachments.count - missing.count
    let isAll = store.participants.isEmpty
    var isNews = false
    // After an update of the app, the decoded content may contain fewer attachments than when the message was
    // composed. If all of them are uploaded, the upload is complete.
    if missing.isEmpty, isAll { try await save(row.payload, by: operation, isComplete: true) }
    for (done, index) in missing.enumerated() {
      func stored(_ media: RemoteMedia, _ upload: UploadRow? = nil) async throws {
        attachments[index] = .remote(media)
        content.replaceAttachments(attachments)
        try await save(try encode(content), by: operation, isComplete: isAll && index == missing.last, upload)
      }
      switch attachments[index] {
      case .remote: break
      case .thirdParty(let url):
        let media = try await uploads.copy(url)
        isNews = true
        progress(Double(before + done + 1) / Double(attachments.count))
        try await stored(media)
      case .local(let file):
        do {
          let total = Double(attachments.count)
          let isUploaded = try await uploads.bring(found(file)) {
            progress((Double(before + done) + $0) / total)
          } save: {
            try await stored($0, $1)
          }
          isNews = isNews || isUploaded
        } catch let error as ChatError where error.code == .attachmentUnreadable {
          throw SendFailure(.attachmentUnreadable, error.message)
        }
      }
    }
    return isNews
  }

  private func save(
    _ payload: Data, by operation: OperationID, isComplete: Bool, _ upload: UploadRow? = nil
  ) async throws {
    try await store.write(.powerCut) { work in
      try PreparationSteps(work).uploaded(operation, payload: payload, isComplete: isComplete)
      if let upload { try work.rows.upsert(upload) }
    }
  }

  /// Removes the copied files of a message that no longer needs them, except those that a failed copy of the message names. If
  /// the database can't be read, the files stay until the next start.
  func discardCopies(of id: MessageID) async {
    let own = copies().filter { $0.hasPrefix("\(id.rawValue)-") }
    guard !own.isEmpty, let failed = try? await failedContents() else { return }
    for name in own where !failed.contains(where: { $0.contains(name) }) { try? remove(name) }
  }

  /// The encoded contents of all failed and uncertain messages.
  private func failedContents() async throws -> [String] {
    try await store.read { try $0.failedMessages().map { String(decoding: $0.payload, as: UTF8.self) } }
  }

  private func remove(_ name: String) throws {
    try store.runtime.gate?("FILE REMOVE")
    try FileManager.default.removeItem(at: outgoing.appending(path: name))
  }

  /// Removes copied files that no unsent message needs. Waiting, failed and uncertain messages are all
  /// unsent. Does nothing if the lock on the copies can't be acquired, for example while another process is
  /// copying files.
  ///
  /// Call this before anything can be sent. Unneeded files are left behind in these cases, among others:
  ///
  /// - The app was killed before the message was stored, or before the files were removed.
  /// - The message was cleared.
  /// - Sync returned the message, and the receipt was lost.
  func discardUnneededCopies() async throws {
    // The copies of a message that another process is about to store would look unneeded. The exclusive lock
    // ensures that no process is copying under the shared lock.
    guard !copies().isEmpty, let lock = lockCopies(.exclusive) else { return }
    let names = copies()
    lock.release()
    let waiting = try await store.read { database in
      try database.unsentMessageNames(of: store.account)
    }
    let (needed, failed) = (Set(waiting), try await failedContents())
    for name in names {
      guard let end = name.lastIndex(of: "-"), !needed.contains(MessageID(rawValue: String(name[..<end]))),
        !failed.contains(where: { $0.contains(name) })
      else { continue }
      try? remove(name)
    }
  }

  /// Acquires the lock on the copies: shared to copy files, exclusive to look for unneeded copies. While one
  /// process holds the lock exclusively, no process holds it shared. Nil if another lock excludes this lock,
  /// or if the file can't be opened or locked.
  private func lockCopies(_ kind: FileLock.Kind) -> FileLock? {
    try? FileLock.acquire(kind, on: store.runtime.directory.appending(path: "outgoing.lock"))
  }

  /// Whether a message's content names a copied file. Once the file is uploaded, the content names the upload instead.
  private func namesCopy(_ row: MessageRow) -> Bool {
    let content = String(decoding: row.payload, as: UTF8.self)
    return copies().contains { $0.hasPrefix("\(row.messageID.rawValue)-") && content.contains($0) }
  }

  private func copies() -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: outgoing.path)) ?? []).sorted()
  }

  private func keepAttachments(of content: StoredContent, as id: MessageID) throws -> StoredContent {
    guard case .known(var content) = content else { return content }
    let attachments = content.allAttachments
    if attachments.isEmpty { return .known(content) }
    content.replaceAttachments(try attachments.map { try keep($0, for: id) })
    return .known(content)
  }

  /// Returns the copied file at its current location, since an update of the app may have moved the folder
  /// `outgoing`. Returns `file` unchanged if the folder contains no file of this name.
  private func found(_ file: LocalFile) -> LocalFile {
    let copy = outgoing.appending(path: file.url.lastPathComponent)
    guard FileManager.default.fileExists(atPath: copy.path) else { return file }
    return LocalFile(url: copy, type: file.type)
  }

  private func keep(_ attachment: MessageAttachment, for id: MessageID) throws -> MessageAttachment {
    guard case .local(let named) = attachment else { return attachment }
    let file = found(named)
    let own = "\(id.rawValue)-"
    // The file was already copied when the message was composed.
    if file.url.deletingLastPathComponent().path == outgoing.path,
      file.url.lastPathComponent.hasPrefix(own)
    {
      return .local(file)
    }
    try FileManager.default.createDirectory(at: outgoing, withIntermediateDirectories: true)
    var number = 0
    while FileManager.default.fileExists(atPath: outgoing.appending(path: "\(own)\(number)").path) {
      number += 1
    }
    let copy = outgoing.appending(path: "\(own)\(number)")
    do {
      try store.runtime.gate?("FILE COPY")
      try DurableFile.copy(from: file.url, to: copy)
    } catch let error as StorageError where error.code == .full {
      throw error
    } catch {
      throw ChatError(.attachmentUnreadable, "The attached file can't be read: \(file.url.lastPathComponent)")
    }
    return .local(LocalFile(url: copy, type: file.type))
  }

  /// The bytes to store and send; a content of an unknown kind keeps its bytes.
  func encode(_ content: StoredContent) throws -> Data {
    switch content {
    case .known(let content): try encode(content)
    case .unknown(_, let payload): payload
    }
  }

  /// Checks that the server can store a content of this size. Does not encode the content if there is no limit.
  ///
  /// - Throws: ``ChatError`` with `contentTooLarge`.
  func checkSize(of payload: @autoclosure () throws -> Data) throws {
    guard let largest = store.capabilities.largestContent else { return }
    let size = try payload().count
    guard size > largest else { return }
    throw ChatError(
      .contentTooLarge,
      "The message has \(size) bytes, and the server stores at most \(largest). "
        + "Send it in parts, or as a file.")
  }

  private func encode(_ content: some MessageContent) throws -> Data {
    do {
      return try KindRegistry.encode(content)
    } catch {
      throw ChatError(
        .contentNotEncodable,
        "The content of kind \(type(of: content).kind.rawValue) can't be encoded as JSON.")
    }
  }
}
