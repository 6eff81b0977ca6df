#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage
import Synchronization

/// Uploads local files to the media server. Does not upload content again if a finished upload of the content is
/// recorded. Resumes an interrupted upload if a token of the upload is stored.
struct AttachmentUploads: Sendable {
  let store: ChatStore
  let backend: any ChatBackend
  private let turns = ContentTurns()

  init(store: ChatStore, backend: any ChatBackend) {
    self.store = store
    self.backend = backend
  }

  /// Uploads a file's content, unless a finished upload of the content is recorded. Calls `save` in both
  /// cases.
  ///
  /// - Parameters:
  ///   - progress: receives the uploaded fraction, 0 to 1.
  ///   - save: stores the uploaded media and, in the same transaction, the row of the upload. The row shows
  ///     later that the content need not be uploaded again.
  /// - Returns: whether the content was uploaded by this call.
  func bring(
    _ file: LocalFile, progress: @escaping AttachmentProgress,
    save: (RemoteMedia, UploadRow) async throws -> Void
  ) async throws -> Bool {
    let source = try await UploadSource.reading(file)
    // If the same photo is sent to five conversations at once, the uploads take turns. After the first
    // success, the other uploads find the recorded result.
    try await turns.take(source.hash)
    defer { turns.end(source.hash) }
    var row =
      try await store.read { try $0.find(UploadRow.self, source.hash, source.type) }
      ?? UploadRow(hash: source.hash, type: source.type, media: nil, token: nil, updated: store.runtime.now())
    let known = row.media.flatMap { try? JSONDecoder().decode(RemoteMedia.self, from: $0) }
    let media: RemoteMedia
    if let known {
      media = known
    } else {
      media = try await upload(source, row, progress)
      row.media = try StoredJSON.encode(media)
      row.token = nil
      row.updated = store.runtime.now()
    }
    progress(1)
    try await save(media, row)
    return known == nil
  }

  /// Lets the media server copy a file of another server.
  func copy(_ url: URL) async throws -> RemoteMedia {
    try await backend.require(\.rehosting).rehost(url)
  }

  private func upload(
    _ source: UploadSource, _ row: UploadRow, _ progress: @escaping AttachmentProgress
  ) async throws -> RemoteMedia {
    let token = Mutex(row.token)
    let media = try backend.require(\.media)
    return try await media.upload(source, resuming: row.token) { step in
      try Task.checkCancellation()
      let isNew = token.withLock { known in
        defer { known = step.token }
        return step.token != nil && step.token != known
      }
      if isNew {
        var row = row
        row.token = step.token
        row.updated = store.runtime.now()
        // If a power cut loses the token, the upload starts again from the beginning; nothing else is lost.
        try await store.write(.kill) { [row] in try $0.rows.upsert(row) }
      }
      if step.total > 0 { progress(min(max(Double(step.sent) / Double(step.total), 0), 1)) }
    }
  }
}

/// Receives the uploaded fraction of a file, or of all attachments of a message, 0 to 1; called from any thread.
typealias AttachmentProgress = @Sendable (Double) -> Void
