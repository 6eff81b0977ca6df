import SkeinSockets
import SkeinStorage
import SkeinWire
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The files of incomplete uploads.
///
/// 1. Only one request at a time works on each upload.
/// 2. A file only grows. After a lost connection or a crash, the next request continues at the file's length.
final class UploadFolder: Sendable {
  private let folder: URL
  private let disk = BlockingQueue("skein.uploads")
  private let busy = Mutex<[Wire.UploadID]>([])

  /// Creates the folder if needed.
  init(_ folder: URL) throws {
    self.folder = folder
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// Returns the path of the file with an upload's bytes.
  func file(_ id: Wire.UploadID) -> URL { folder.appending(path: id.rawValue) }

  /// Runs work on an upload; throws a 503 while another request works on the upload.
  func withExclusiveAccess<Value>(to id: Wire.UploadID, _ work: () async throws -> Value) async throws
    -> Value
  {
    let isFree = busy.withLock { busy in
      if busy.contains(id) { return false }
      busy.append(id)
      return true
    }
    guard isFree else { throw Refusal.uploadBusy }
    defer { busy.withLock { busy in busy.removeAll { $0 == id } } }
    return try await work()
  }

  /// Whether a request works on an upload.
  func isBusy(_ id: Wire.UploadID) -> Bool { busy.withLock { $0.contains(id) } }

  /// Returns the number of bytes received, once they are on the disk; creates the file if it does not exist.
  func length(of id: Wire.UploadID) async throws -> Int64 {
    let file = try FileDescriptor(appending: file(id).path)
    defer { file.closeFile() }
    try await disk.run { try file.synchronize() }
    return try file.length()
  }

  /// Appends a body at `offset`, which must be the number of bytes received.
  ///
  /// Throws a 409 with the right offset if `offset` is wrong, or a 413 if the file would be longer than `size`.
  func append(_ body: HTTPBody, to id: Wire.UploadID, at offset: Int64, size: Int64) async throws {
    let file = try FileDescriptor(appending: file(id).path)
    defer { file.closeFile() }
    var length = try file.length()
    guard length == offset else { throw Refusal.wrongOffset(length) }
    if let announced = body.length, announced > size - length { throw Refusal.tooLong }
    for try await chunk in body {
      guard chunk.count <= size - length else { throw Refusal.tooLong }
      try file.append(chunk)
      length += Int64(chunk.count)
    }
  }

  /// Returns the content address of the bytes received.
  func hash(of id: Wire.UploadID) async throws -> Wire.MediaID {
    try await disk.run { [file = file(id)] in
      let reader = try FileReader(file)
      var hash = RunningSHA256()
      while case let piece = try reader.read(upTo: 1 << 20), !piece.isEmpty { hash.update(piece) }
      return Wire.MediaID(rawValue: Hexadecimal.text(hash.finish()))
    }
  }

  /// Removes an upload's file.
  func remove(_ id: Wire.UploadID) { try? FileManager.default.removeItem(at: file(id)) }

  /// Removes the uploads that were started before a time, and the files without an upload.
  func removeStale(_ database: Database, before time: Int64) async throws {
    let left = try await database.write { transaction in
      _ = try transaction.execute("DELETE FROM upload WHERE created < ?", time)
      return try transaction.rows(Wire.UploadID.self, "SELECT id FROM upload ORDER BY id")
    }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] {
      let id = Wire.UploadID(rawValue: name)
      if !left.contains(id) { remove(id) }
    }
  }
}

extension Refusal {
  static let uploadBusy = Refusal(
    status: 503, code: .unavailable, message: "Another request works on this upload.",
    headers: ["Retry-After": "1"])
  static let tooLong = Refusal(
    status: 413, code: .tooLarge, message: "The upload would be longer than announced.")
  static let hashMismatch = Refusal(
    status: 422, code: .hashMismatch, message: "The bytes don't have the announced hash; the upload is gone.")

  static func wrongOffset(_ offset: Int64) -> Refusal {
    var refusal = Refusal(
      status: 409, code: .wrongOffset, message: "The upload continues at \(offset).")
    refusal.offset = offset
    return refusal
  }
}
