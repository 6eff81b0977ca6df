public import Foundation
public import Skein
import SkeinWire

extension HTTPBackend {
  /// Brings a file to the server, which names it after its content: the same bytes again cost nothing but the way.
  ///
  /// - Throws: `BackendError`, with `permanent` if the file can't be read or is too large for the server.
  public func upload(_ source: UploadSource, resuming token: UploadToken?, report: UploadReporter)
    async throws
    -> RemoteMedia
  {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: source.file.path, isDirectory: &isFolder),
      !isFolder.boolValue,
      FileManager.default.isReadableFile(atPath: source.file.path)
    else { throw BackendError(.permanent, "The file can't be read.") }
    let answer = try await calls.upload(source.file, type: source.type, to: ["media"])
    return try HTTPCalls.reading { RemoteMedia(try Wire.decode(Wire.Media.self, from: answer.body)) }
  }

  /// Fetches a file, through a partial one beside it that takes its place when its length is right.
  ///
  /// - Throws: `BackendError`, with `permanent` if there is no such file for this account; the system's error if `file`
  ///   can't be written.
  public func download(_ media: RemoteMedia, to file: URL) async throws {
    let sink = try FileSink(target: file, size: media.size)
    do {
      try await calls.download(["media", media.id], to: sink)
      try sink.finish()
    } catch {
      sink.discard()
      throw error
    }
  }
}
