#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage
import Synchronization

/// The files of stored messages: fetched on request, and kept as long as there is room.
///
/// 1. A file is returned only if it is complete: its size is the size stated in its message.
/// 2. The least recently requested file is removed first. A file that is missing for any reason is fetched again on
///    request.
final class MediaCache: Sendable {
  private let folder: URL
  private let backend: any ChatBackend
  private let runtime: Runtime
  /// The maximum total size, in bytes.
  private let limit: Int64
  private let turns = ContentTurns()
  private let isClosed = Mutex(false)

  init(backend: any ChatBackend, runtime: Runtime, limit: Int64) {
    folder = runtime.directory.appending(path: "media")
    self.backend = backend
    self.runtime = runtime
    self.limit = limit
  }

  /// Makes later calls of ``file(for:)`` throw, and discards the files of running fetches.
  func close() { isClosed.withLock { $0 = true } }

  /// Returns the file, and notes the time of the request; nil if the file is not stored.
  func storedFile(for media: RemoteMedia) -> URL? {
    let file = file(named: media)
    guard size(of: file) == media.size else { return nil }
    touch(file)
    return file
  }

  /// Returns the file, which is fetched if it is not stored. Concurrent calls for one file share a successful
  /// fetch.
  func file(for media: RemoteMedia) async throws -> URL {
    let file = file(named: media)
    let name = file.lastPathComponent
    try await turns.take(name)
    defer { turns.end(name) }
    try checkOpen()
    if let stored = storedFile(for: media) { return stored }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try await backend.require(\.media).download(media, to: file)
    do {
      try checkOpen()
      guard size(of: file) == media.size else {
        throw BackendError(.permanent, "The server's file differs from the one in the message.")
      }
    } catch {
      try? FileManager.default.removeItem(at: file)
      throw error
    }
    touch(file)
    makeRoom(keeping: name)
    return file
  }

  private func checkOpen() throws {
    if isClosed.withLock({ $0 }) { throw StorageError(.closed, "The client is closed.") }
  }

  /// The place of a file. The file's name is a hash of the media id, since this id may be a long address.
  private func file(named media: RemoteMedia) -> URL {
    folder.appending(path: ContentHash.hash(of: media.id.utf8))
  }

  private func size(of file: URL) -> Int64? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    return Self.size(attributes)
  }

  private static func size(_ attributes: [FileAttributeKey: Any]?) -> Int64? {
    (attributes?[.size] as? UInt64).map { Int64(clamping: $0) }
  }

  /// Sets the modification date of a file to now, as the time of its last request.
  private func touch(_ file: URL) {
    let date = Date(timeIntervalSince1970: Double(runtime.now().rawValue) / 1000)
    try? FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
  }

  private func makeRoom(keeping kept: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let files = names.sorted().map { name in
      let file = folder.appending(path: name)
      let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
      return (
        file, size: Self.size(attributes) ?? 0,
        used: attributes?[.modificationDate] as? Date ?? .distantPast, isKept: name == kept
      )
    }
    var total = files.reduce(0) { $0 + $1.size }
    // A partial file of the last day may belong to a running fetch, and stays. An older partial file is a leftover and
    // may be removed.
    let now = Date(timeIntervalSince1970: Double(runtime.now().rawValue) / 1000)
    let isUnderWay = { (file: URL, used: Date) in
      file.pathExtension == "partial" && abs(now.timeIntervalSince(used)) < 86400
    }
    for file in files.filter({ !$0.isKept && !isUnderWay($0.0, $0.used) }).sorted(by: { $0.used < $1.used }) {
      guard total > limit else { return }
      try? FileManager.default.removeItem(at: file.0)
      total -= file.size
    }
  }
}
