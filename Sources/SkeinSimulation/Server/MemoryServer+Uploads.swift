package import SkeinModel
import Synchronization

/// Uploads of files. The first half of a file arrives when its upload begins, the second half at the end.
extension MemoryServer {
  /// Begins an upload, or continues the upload of a token. If the token is unknown, a new upload begins.
  package func beginUpload(_ source: UploadSource, resuming token: UploadToken?) throws -> UploadProgress {
    try checkReachable()
    return state.withLock { state in
      if let token, state.partialUploads[token] == source.hash {
        return UploadProgress(token: token, sent: source.size / 2, total: source.size)
      }
      state.begunUploads += 1
      let new = UploadToken(rawValue: "upload-\(state.begunUploads)")
      state.partialUploads[new] = source.hash
      return UploadProgress(token: new, sent: source.size / 2, total: source.size)
    }
  }

  /// Accepts the rest of a file, and returns the file's id.
  ///
  /// - Throws: ``BackendError`` with `transient` if the server has forgotten the upload.
  package func finishUpload(_ source: UploadSource, as token: UploadToken?) throws -> RemoteMedia {
    let isKnown = state.withLock { state in token.map { state.partialUploads[$0] == source.hash } ?? false }
    guard isKnown else { throw BackendError(.transient, "The server has forgotten this upload.") }
    let media = try upload(source)
    state.withLock { state in
      if let token { state.partialUploads[token] = nil }
    }
    return media
  }

  /// Copies a small file with this content from another server.
  package func copy(_ content: String) throws -> RemoteMedia {
    try checkReachable()
    let media = RemoteMedia(id: "media-\(content)", size: Int64(content.utf8.count), type: "image/png")
    state.withLock { _ = $0.media.insert(media.id) }
    return media
  }

  /// Forgets all uploads that have begun and not ended.
  package func forgetPartialUploads() { state.withLock { $0.partialUploads = [:] } }
}
