import Foundation
import SkeinModel

/// A local file, from which parts are read at the offsets that the server requests.
struct UploadFile: Sendable {
  private let handle: FileHandle
  private let size: Int64

  /// Opens a file; throws a permanent `BackendError` if that fails.
  init(_ source: UploadSource) throws {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: source.file.path, isDirectory: &isFolder),
      !isFolder.boolValue,
      let handle = try? FileHandle(forReadingFrom: source.file)
    else { throw BackendError(.permanent, "The file can't be read.") }
    self.handle = handle
    size = source.size
  }

  /// Reads `count` bytes at an offset, or fewer at the end of the file. A `count` below 1 counts as 1. Throws
  /// a permanent `BackendError` if the file has become shorter or can't be read.
  func part(at offset: Int64, upTo count: Int) throws -> Data {
    let count = min(Int64(max(count, 1)), size - offset)
    do {
      try handle.seek(toOffset: UInt64(offset))
      let bytes = try handle.read(upToCount: Int(count)) ?? Data()
      if Int64(bytes.count) == count { return bytes }
    } catch {
      throw BackendError(.permanent, "The file can't be read.", cause: error)
    }
    throw BackendError(.permanent, "The file has changed since it was attached.")
  }

  func close() { try? handle.close() }
}
