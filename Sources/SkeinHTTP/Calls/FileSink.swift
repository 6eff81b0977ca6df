import Foundation
import Skein
import Synchronization

/// A file that grows beside its final place, to appear there whole or not at all.
final class FileSink: Sendable {
  private let target: URL
  private let partial: URL
  private let file: FileHandle
  /// In bytes; what comes in must be as long.
  private let size: Int64
  private let written = Mutex<Int64>(0)

  /// Starts an empty file; throws `CocoaError` where none can be made.
  init(target: URL, size: Int64) throws {
    self.target = target
    self.size = size
    let name = "\(target.lastPathComponent).\(UUID().uuidString).partial"
    partial = target.deletingLastPathComponent().appending(path: name)
    try Data().write(to: partial, options: .withoutOverwriting)
    file = try FileHandle(forWritingTo: partial)
  }

  func write(_ data: Data) throws {
    try written.withLock { written in
      guard data.count <= size - written else { throw BackendError.oversize }
      try file.write(contentsOf: data)
      written += Int64(data.count)
    }
  }

  /// Brings the file to its final place, once it is on the disk.
  func finish() throws {
    guard written.withLock({ $0 == size }) else { throw BackendError.garbled }
    try file.synchronize()
    try file.close()
    do {
      try FileManager.default.moveItem(at: partial, to: target)
    } catch CocoaError.fileWriteFileExists {
      try FileManager.default.removeItem(at: target)
      try FileManager.default.moveItem(at: partial, to: target)
    }
  }

  /// Takes away what was written.
  func discard() {
    try? file.close()
    try? FileManager.default.removeItem(at: partial)
  }
}
