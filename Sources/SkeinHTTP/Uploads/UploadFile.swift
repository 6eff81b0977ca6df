import Foundation
import SkeinModel
import SkeinTransport

/// A local file that is sent in parts; each part starts at the offset that the server requests.
struct UploadFile: Sendable {
  private let url: URL
  private let size: Int64

  /// Checks that a file can be read; throws a permanent `BackendError` if not.
  init(_ source: UploadSource) throws {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: source.file.path, isDirectory: &isFolder),
      !isFolder.boolValue, FileManager.default.isReadableFile(atPath: source.file.path)
    else { throw BackendError(.permanent, "The file can't be read.") }
    url = source.file
    size = source.size
  }

  /// A part of `count` bytes from an offset on, or fewer at the end of the file. A `count` below 1 counts as
  /// 1. The call that sends the part throws a permanent `BackendError` if the file has become shorter or
  /// can't be read.
  func part(at offset: Int64, upTo count: Int) -> TransportRequest.Body {
    .file(url, from: offset, count: min(Int64(max(count, 1)), size - offset))
  }
}
