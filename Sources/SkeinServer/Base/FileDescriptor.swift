import SkeinStorage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// An open file of the system's: what `FoundationEssentials` lacks for files that come in pieces.
///
/// Its calls block, and throw a `StorageError` (`full`, `io`) without the file's name.
struct FileDescriptor: Sendable {
  private let number: Int32

  /// Where failures are reported.
  static let standardError = FileDescriptor(number: STDERR_FILENO)

  private init(number: Int32) { self.number = number }

  /// Makes a file that must not exist yet, for this user alone.
  init(creating path: String) throws {
    number = try Self.check("make a file") { open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
  }

  /// Opens a file at its end, for this user alone; makes it if there is none.
  init(appending path: String) throws {
    number = try Self.check("open a file") { open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600) }
  }

  /// In bytes.
  func length() throws -> Int64 {
    Int64(try Self.check("measure a file") { lseek(number, 0, SEEK_END) })
  }

  /// Opens a folder, to synchronize it.
  init(folder path: String) throws {
    number = try Self.check("open a folder") { open(path, O_RDONLY | O_CLOEXEC) }
  }

  /// Writes all of the bytes at the end.
  func append(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { buffer in
      var rest = buffer
      while !rest.isEmpty {
        let count = try Self.check("write a file") { write(number, rest.baseAddress, rest.count) }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
    }
  }

  /// Returns when the disk has everything that was written.
  func synchronize() throws {
    #if canImport(Darwin)
      // Apple's fsync leaves the data in the drive's cache.
      _ = try Self.check("synchronize a file") { fcntl(number, F_FULLFSYNC) }
    #else
      _ = try Self.check("synchronize a file") { fsync(number) }
    #endif
  }

  /// Lets the file go; nothing may follow.
  func closeFile() { close(number) }

  /// Gives a file another name, in place of what had it.
  static func move(_ path: String, to other: String) throws {
    _ = try check("rename a file") { rename(path, other) }
  }

  private static func check<Number: BinaryInteger>(_ action: String, _ call: () -> Number) throws -> Number {
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
