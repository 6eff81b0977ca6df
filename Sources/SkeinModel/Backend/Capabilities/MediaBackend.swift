#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Transfers files to and from the media server; see ``BackendCapabilities/media``.
public protocol MediaBackend: Sendable {
  /// Uploads a file, or continues an interrupted upload.
  ///
  /// Awaits `report` when the upload gets a token, and while bytes are transferred. A new token is on disk
  /// when `report` returns. An error that `report` throws ends the upload and is rethrown.
  ///
  /// - Parameter token: the last token reported for this content. If the server no longer knows the token,
  ///   the upload starts from the beginning.
  func upload(_ source: UploadSource, resuming token: UploadToken?, report: UploadReporter) async throws
    -> RemoteMedia

  /// Downloads a file to `file`, and replaces any file at this URL. The new file appears completely or not at
  /// all.
  ///
  /// - Throws: ``BackendError`` with ``BackendError/Code/permanent`` if there is no such file for this account.
  func download(_ media: RemoteMedia, to file: URL) async throws
}
