#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import Foundation
import SkeinModel
import Synchronization

/// A file that is written beside its final path, and moved there once it is complete.
final class FileSink: Sendable {
  /// The offset of the first missing byte, which is the length of an earlier download's partial file.
  let start: Int64
  private let target: URL
  private let partial: URL
  /// Whether a later download of the same file can continue this one.
  private let isFindable: Bool
  private let file: FileHandle
  /// The expected length in bytes.
  private let size: Int64
  private let written: Mutex<Int64>
  /// Whether the server has sent any bytes.
  private let hasBegun = Mutex(false)
  /// Whether the bytes received did not match the request.
  private let isSpoiled = Mutex(false)

  /// Continues an earlier download, or starts an empty file; throws `CocoaError` if no file can be created.
  ///
  /// - Parameter name: the server's name for the file, which distinguishes partial files.
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

  /// Opens a file, creating it if needed; nil while another download has it locked.
  private static func open(_ url: URL) throws -> FileHandle? {
    if !FileManager.default.fileExists(atPath: url.path) {
      // Another download may have created it meanwhile.
      do { try Data().write(to: url, options: .withoutOverwriting) } catch CocoaError.fileWriteFileExists {}
    }
    let file = try FileHandle(forWritingTo: url)
    return flock(file.fileDescriptor, LOCK_EX | LOCK_NB) == 0 ? file : nil
  }

  /// - Parameter isRest: whether the server sends only the missing bytes.
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

  /// Moves the file to its final path, once it is on the disk.
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

  /// Keeps the partial file if the next download can continue it; removes it otherwise.
  func abandon(after error: any Error) {
    let isUseful = isFindable && written.withLock { $0 > 0 } && !isSpoiled.withLock { $0 }
    if !isUseful || (error as? BackendError)?.code == .permanent {
      try? FileManager.default.removeItem(at: partial)
    }
    try? file.close()
  }
}
