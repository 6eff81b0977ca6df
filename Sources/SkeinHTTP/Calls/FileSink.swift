#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import Foundation
import SkeinModel
import Synchronization

/// A file that grows beside its final place, to appear there whole or not at all.
final class FileSink: Sendable {
  /// From which byte on the rest is missing: what an earlier fetch of the same has left.
  let start: Int64
  private let target: URL
  private let partial: URL
  /// Whether a later fetch of the same finds what is left of it.
  private let isFindable: Bool
  private let file: FileHandle
  /// In bytes; what comes in must be as long.
  private let size: Int64
  private let written: Mutex<Int64>
  /// Whether the server has sent something of it.
  private let hasBegun = Mutex(false)
  /// Whether what came was not what was asked for.
  private let isSpoiled = Mutex(false)

  /// Goes on with what is left of an earlier fetch, or starts an empty file; throws `CocoaError` where none can be made.
  ///
  /// - Parameter name: what the server calls it, so that no part of one file is taken for another's.
  init(target: URL, name: String, size: Int64) throws {
    self.target = target
    self.size = size
    let folder = target.deletingLastPathComponent()
    let isPlain =
      name.utf8.count <= 100 && name.unicodeScalars.allSatisfy(CharacterSet.alphanumerics.contains)
    let known = folder.appending(path: "\(target.lastPathComponent).\(name).partial")
    if isPlain, let file = try Self.open(known) {
      (partial, self.file, isFindable) = (known, file, true)
      let length = Int64(try file.seekToEnd())
      start = length <= size ? length : 0
      if start < length { try file.truncate(atOffset: 0) }
    } else {
      partial = folder.appending(path: "\(target.lastPathComponent).\(UUID().uuidString).partial")
      try Data().write(to: partial, options: .withoutOverwriting)
      file = try FileHandle(forWritingTo: partial)
      isFindable = false
      start = 0
    }
    written = Mutex(start)
  }

  /// Opens a file, made where there is none; nil while somebody else is at it.
  private static func open(_ url: URL) throws -> FileHandle? {
    if !FileManager.default.fileExists(atPath: url.path) {
      // Another fetch may have made it meanwhile.
      do { try Data().write(to: url, options: .withoutOverwriting) } catch CocoaError.fileWriteFileExists {}
    }
    let file = try FileHandle(forWritingTo: url)
    return flock(file.fileDescriptor, LOCK_EX | LOCK_NB) == 0 ? file : nil
  }

  /// - Parameter isRest: whether the server sends what is missing, and not all of it.
  func write(_ data: Data, isRest: Bool) throws {
    let isFirst = hasBegun.withLock { hasBegun in
      defer { hasBegun = true }
      return !hasBegun
    }
    try written.withLock { written in
      if isFirst, !isRest {
        try file.truncate(atOffset: 0)
        written = 0
      }
      guard data.count <= size - written else {
        isSpoiled.withLock { $0 = true }
        throw BackendError.oversize
      }
      try file.write(contentsOf: data)
      written += Int64(data.count)
    }
  }

  /// Brings the file to its final place, once it is on the disk.
  func finish() throws {
    guard written.withLock({ $0 == size }) else {
      isSpoiled.withLock { $0 = true }
      throw BackendError.garbled
    }
    try file.synchronize()
    do {
      try FileManager.default.moveItem(at: partial, to: target)
    } catch CocoaError.fileWriteFileExists {
      try FileManager.default.removeItem(at: target)
      try FileManager.default.moveItem(at: partial, to: target)
    }
    try file.close()
  }

  /// Leaves what was written for the next fetch, or takes it away where that has no use for it.
  func abandon(after error: any Error) {
    let isUseful = isFindable && written.withLock { $0 > 0 } && !isSpoiled.withLock { $0 }
    if !isUseful || (error as? BackendError)?.code == .permanent {
      try? FileManager.default.removeItem(at: partial)
    }
    try? file.close()
  }
}
