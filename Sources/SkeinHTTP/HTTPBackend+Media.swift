public import Foundation
public import SkeinModel
import SkeinWire

extension HTTPBackend {
  /// Uploads a file in parts, continuing an interrupted attempt. Content that this account uploaded before costs one call.
  ///
  /// - Throws: `BackendError`, with `permanent` if the file can't be read, has changed or is too large for the server.
  public func upload(_ source: UploadSource, resuming token: UploadToken?, report: UploadReporter)
    async throws
    -> RemoteMedia
  {
    let file = try UploadFile(source)
    defer { file.close() }
    return try await UploadRun(calls: calls, source: source, file: file, partSize: options.uploadChunkSize)
      .run(resuming: token, report)
  }

  /// Lets the server copy a public picture, sound or film.
  ///
  /// - Throws: `BackendError`, with `permanent` if the server can't, or must not, fetch it.
  public func rehost(_ url: URL) async throws -> RemoteMedia {
    let media = try await calls.post(
      ["media", "copies"], Wire.CopyRequest(url: url.absoluteString), as: Wire.Media.self)
    return RemoteMedia(media)
  }

  /// Downloads into a partial file, which is moved to `file` once it is complete. After a lost connection the
  /// partial file stays, and the next download of the same media continues it.
  ///
  /// - Throws: `BackendError`, with `permanent` if there is no such file for this account; the system's error if `file`
  ///   can't be written.
  public func download(_ media: RemoteMedia, to file: URL) async throws {
    let sink = try FileSink(target: file, name: media.id, size: media.size)
    do {
      if sink.start == 0 || sink.start < media.size {
        try await calls.download(["media", media.id], to: sink)
      }
      try sink.finish()
    } catch {
      sink.abandon(after: error)
      throw error
    }
  }
}
