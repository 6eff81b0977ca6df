import SkeinStorage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// An open file descriptor, needed because `FoundationEssentials` cannot write a file in pieces.
///
/// The methods block. They throw a `StorageError` (`full` or `io`) that does not contain the file's name.
struct FileDescriptor: Sendable {
  private let number: Int32

  /// Standard error.
  static let standardError = FileDescriptor(number: STDERR_FILENO)

  private init(number: Int32) { self.number = number }

  /// Creates a file that only the process's user can read and write. The file must not exist yet.
  init(creating path: String) throws {
    number = try Self.checked("make a file") { open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
  }

  /// Opens a file for appending. If the file does not exist, creates a file that only the process's user can
  /// read and write.
  init(appending path: String) throws {
    number = try Self.checked("open a file") { open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600) }
  }

  /// Returns the file's length in bytes.
  func length() throws -> Int64 {
    Int64(try Self.checked("measure a file") { lseek(number, 0, SEEK_END) })
  }

  /// Opens a folder, so that the folder can be synchronized.
  init(folder path: String) throws {
    number = try Self.checked("open a folder") { open(path, O_RDONLY | O_CLOEXEC) }
  }

  /// Writes all of these bytes at the end of the file.
  func append(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { buffer in
      var rest = buffer
      while !rest.isEmpty {
        let count = try Self.checked("write a file") { write(number, rest.baseAddress, rest.count) }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
    }
  }

  /// Waits until everything written is on the disk.
  func synchronize() throws {
    #if canImport(Darwin)
      // Apple's fsync leaves the data in the drive's cache.
      _ = try Self.checked("synchronize a file") { fcntl(number, F_FULLFSYNC) }
    #else
      _ = try Self.checked("synchronize a file") { fsync(number) }
    #endif
  }

  /// Closes the descriptor, which must not be used again.
  func closeFile() { close(number) }

  /// Renames a file. A file that already has the new name is replaced.
  static func move(_ path: String, to other: String) throws {
    _ = try checked("rename a file") { rename(path, other) }
  }

  /// Gives a file a second name, which must not be in use. Some file systems do not support this.
  static func addName(_ other: String, toFileAt path: String) throws {
    _ = try checked("link a file") { link(path, other) }
  }

  private static func checked<Number: BinaryInteger>(_ action: String, _ call: () -> Number) throws -> Number
  {
    while true {
      let result = call()
      if result >= 0 { return result }
      let number = errno
      if number == EINTR { continue }
      throw StorageError(
        number == ENOSPC || number == EDQUOT ? .full : .io,
        "Could not \(action): \(String(cString: strerror(number))).")
    }
  }
}
