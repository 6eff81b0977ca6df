#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Copies files. A copy appears completely or not at all, even after a power cut.
public enum DurableFile {
  /// Copies the file at `source` to `target`, replacing any file there.
  ///
  /// Blocks until the file and its name are on the disk. A crash during the call may leave a hidden file in
  /// the target's folder. The hidden file's name starts with a dot and the target's name.
  ///
  /// - Throws: ``StorageError`` `notFound` if the source or the target's folder does not exist; `full`, `readOnly` or
  ///   `io`.
  public static func copy(from source: URL, to target: URL) throws {
    let folder = target.deletingLastPathComponent().path(percentEncoded: false)
    let input = try Descriptor("open the source") {
      open(source.path(percentEncoded: false), O_RDONLY | O_CLOEXEC)
    }
    // `mkstemp` replaces these six characters by random ones.
    let placeholder = String(repeating: "X", count: 6)
    var temporary = Array("\(folder)/.\(target.lastPathComponent).\(placeholder)".utf8CString)
    let output = try Descriptor("make a temporary file") { mkstemp(&temporary) }
    do {
      try copy(from: input, to: output)
      try synchronize(output)
      try check("rename the file") { rename(temporary, target.path(percentEncoded: false)) }
    } catch {
      unlink(temporary)
      throw error
    }
    // The file's name is stored in the folder, which must be synchronized too.
    try synchronize(try Descriptor("open the folder") { open(folder, O_RDONLY | O_CLOEXEC) })
  }

  private static func copy(from input: Descriptor, to output: Descriptor) throws {
    try withUnsafeTemporaryAllocation(byteCount: 1 << 17, alignment: 16) { chunk in
      while true {
        let count = try check("read the source") { read(input.number, chunk.baseAddress, chunk.count) }
        if count == 0 { return }
        var rest = UnsafeRawBufferPointer(rebasing: chunk[..<count])
        while !rest.isEmpty {
          let written = try check("write the copy") { write(output.number, rest.baseAddress, rest.count) }
          rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        }
      }
    }
  }

  private static func synchronize(_ file: Descriptor) throws {
    #if canImport(Darwin)
      // On Apple platforms, `fsync` leaves the data in the drive's cache.
      try check("synchronize") { fcntl(file.number, F_FULLFSYNC) }
    #else
      try check("synchronize") { fsync(file.number) }
    #endif
  }
}
