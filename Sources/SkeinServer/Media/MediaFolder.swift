import SkeinSockets
import SkeinWire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The uploaded and copied files. The name of each file is its content address, the SHA-256 of its bytes.
///
/// 1. A file at its content address is complete and on the disk.
/// 2. An incoming file that is not moved to its content address is removed, at the latest at the server's next start.
struct MediaFolder: Sendable {
  private let folder: URL
  private let incoming: URL
  private let disk = BlockingQueue("skein.media")

  /// Creates the folder if needed, and removes the incoming files of an earlier process.
  init(_ folder: URL) throws {
    self.folder = folder
    incoming = folder.appending(path: "incoming", directoryHint: .isDirectory)
    try? FileManager.default.removeItem(at: incoming)
    try FileManager.default.createDirectory(
      at: incoming, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// Returns the path of a file, whether the file exists or not.
  func file(_ id: Wire.MediaID) -> URL { folder.appending(path: id.rawValue) }

  /// Returns a new path for an incoming file. Incoming files that remain are removed at the server's next start.
  func temporary() -> URL { incoming.appending(path: Hexadecimal.text(Digest.random(16))) }

  /// Stores a body; throws a 413 as soon as the body is longer than `limit`.
  func store(_ body: HTTPBody, limit: Int) async throws -> (id: Wire.MediaID, size: Int64) {
    let temporary = temporary()
    let file = try FileDescriptor(creating: temporary.path)
    defer {
      file.closeFile()
      try? FileManager.default.removeItem(at: temporary)
    }
    var hash = RunningSHA256(), size = 0
    for try await chunk in body {
      size += chunk.count
      guard size <= limit else { throw Refusal.tooLarge("A file", limit) }
      hash.update(chunk)
      try file.append(chunk)
    }
    let id = Wire.MediaID(rawValue: Hexadecimal.text(hash.finish()))
    try await disk.run { try file.synchronize() }
    try await adopt(temporary, as: id)
    return (id, Int64(size))
  }

  /// Places a complete, synchronized file at its content address. The file keeps its own name too, so that the caller
  /// can repeat the call. If it can't get a second name, as on a file system without links, it is moved, and the call can't
  /// be repeated.
  func link(_ file: URL, as id: Wire.MediaID) async throws {
    let link = temporary()
    // A move to another name of the same file does nothing, so a repeated call leaves the link.
    defer { try? FileManager.default.removeItem(at: link) }
    do {
      try FileDescriptor.addName(link.path, toFileAt: file.path)
    } catch {
      return try await adopt(file, as: id)
    }
    try await adopt(link, as: id)
  }

  /// Moves a complete, synchronized file to its content address.
  func adopt(_ file: URL, as id: Wire.MediaID) async throws {
    try await disk.run { [target = self.file(id), folder] in
      try FileDescriptor.move(file.path, to: target.path)
      let folder = try FileDescriptor(folder: folder.path)
      defer { folder.closeFile() }
      try folder.synchronize()
    }
  }
}
