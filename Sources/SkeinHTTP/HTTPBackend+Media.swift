public import Foundation
public import SkeinModel
import SkeinTransport
import SkeinWire

extension HTTPBackend {
  /// Uploads a file in parts, or continues an interrupted upload. Content that this account has uploaded before is
  /// not uploaded again.
  ///
  /// - Throws: `BackendError`, with `permanent` if the file can't be read, has changed or is too large for the server.
  public func upload(_ source: UploadSource, resuming token: UploadToken?, report: UploadReporter)
    async throws
    -> RemoteMedia
  {
    let file = try UploadFile(source)
    return try await UploadRun(calls: calls, source: source, file: file, partSize: options.uploadChunkSize)
      .run(resuming: token, report)
  }

  /// Asks the server to copy a public picture, sound or film.
  ///
  /// - Throws: `BackendError`, with `permanent` if the server can't fetch the file or must not fetch it.
  public func rehost(_ url: URL) async throws -> RemoteMedia {
    let media = try await calls.post(
      ["media", "copies"], Wire.CopyRequest(url: url.absoluteString), as: Wire.Media.self)
    return RemoteMedia(media)
  }

  /// Downloads into a partial file, and moves the complete file to `file`. After a lost connection the
  /// partial file usually stays. The next download of the same media to `file` then continues the partial
  /// file.
  ///
  /// - Throws: `BackendError`, with `permanent` if there is no such file for this account, `transient` if the
  ///   received bytes are not those of the file; the system's error if the file can't be written.
  public func download(_ media: RemoteMedia, to file: URL) async throws {
    // The server's id of a file is the hash of its bytes.
    try await FileSink(target: file, name: media.id, size: media.size, hash: media.id).fill { sink in
      try await calls.download(["media", media.id], to: sink)
    }
  }
}
