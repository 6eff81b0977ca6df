#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage
import Synchronization

/// Brings local files to the media server: the same content once, and an upload that was cut from where it was.
struct AttachmentUploads: Sendable {
  let store: ChatStore
  let backend: any ChatBackend
  private let turns = ContentTurns()

  init(store: ChatStore, backend: any ChatBackend) {
    self.store = store
    self.backend = backend
  }

  /// Where the media server has a file's content, once it does.
  ///
  /// - Parameters:
  ///   - progress: hears the part that is there, 0 to 1.
  ///   - save: stores what names the media; the row it is handed belongs into the same transaction, so that whatever is
  ///     stored can be known again.
  func bring(
    _ file: LocalFile, progress: @escaping AttachmentProgress,
    save: (RemoteMedia, UploadRow) async throws -> Void
  ) async throws {
    let source = try await UploadSource.reading(file)
    // The same photo sent to five conversations at once goes up with the first, and the others find it there.
    try await turns.take(source.hash)
    defer { turns.end(source.hash) }
    var row =
      try await store.read { try $0.find(UploadRow.self, source.hash, source.type) }
      ?? UploadRow(hash: source.hash, type: source.type, media: nil, token: nil, updated: store.runtime.now())
    let media: RemoteMedia
    if let known = row.media.flatMap({ try? JSONDecoder().decode(RemoteMedia.self, from: $0) }) {
      media = known
    } else {
      media = try await upload(source, row, progress)
      row.media = try JSONEncoder().encode(media)
      row.token = nil
      row.updated = store.runtime.now()
    }
    progress(1)
    try await save(media, row)
  }

  /// Has the media server take a copy of a file on somebody else's server.
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
        // The loss of a token would cost bytes and nothing else.
        try await store.write(.kill) { [row] in try $0.rows.upsert(row) }
      }
      if step.total > 0 { progress(min(max(Double(step.sent) / Double(step.total), 0), 1)) }
    }
  }
}

/// Hears the part of a message's attachments that the media server has, 0 to 1; called from any thread.
typealias AttachmentProgress = @Sendable (Double) -> Void
