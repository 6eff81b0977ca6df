public import Foundation
public import SkeinModel
import SkeinTransport

extension MatrixBackend {
  /// Uploads a file in one call. An interrupted upload starts from the beginning.
  ///
  /// - Throws: `BackendError`, with `permanent` if the file can't be read, has changed or is too large for the
  ///   homeserver.
  public func upload(
    _ source: UploadSource, resuming token: UploadToken?, report: UploadReporter
  ) async throws -> RemoteMedia {
    let size = (try? FileManager.default.attributesOfItem(atPath: source.file.path))?[.size] as? NSNumber
    guard size?.int64Value == source.size else {
      throw BackendError(.permanent, "The file is gone or has changed.")
    }
    try await report(UploadProgress(token: nil, sent: 0, total: source.size))
    let answer = try await media.upload(source.file, size: source.size, type: source.type)
    let id = try answer.requiredToken("content_uri")
    try await report(UploadProgress(token: nil, sent: source.size, total: source.size))
    return RemoteMedia(id: id, size: source.size, type: source.type)
  }

  /// Downloads a file of this homeserver, or of another through it. After a lost connection the received part stays. The next
  /// download of the same file to the same place then requests the rest; a homeserver that ignores ranges sends the whole file.
  ///
  /// - Throws: `BackendError`, with `permanent` if there is no such file; the system's error if the file can't be
  ///   written.
  public func download(_ media: RemoteMedia, to file: URL) async throws {
    let parts = media.id.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 4, parts[0] == "mxc:", parts[1].isEmpty, !parts[2].isEmpty, !parts[3].isEmpty else {
      throw BackendError(.permanent, "The file is not on a Matrix homeserver.")
    }
    let sink = try FileSink(target: file, name: Self.partialName(of: media), size: media.size)
    try await sink.fill { try await self.media.download(["download", parts[2], parts[3]], to: $0) }
  }

  /// The name of a file that is being downloaded: only letters and digits, so that a later download finds it.
  static func partialName(of media: RemoteMedia) -> String { ContentHash.hash(of: media.id.utf8) }
}
