#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// An open file of the system's, where `FoundationEssentials` has none.
struct FileDescriptor: Sendable {
  private let number: Int32

  /// Where failures are reported.
  static let standardError = FileDescriptor(number: STDERR_FILENO)

  private init(number: Int32) { self.number = number }

  /// Makes a file that must not exist yet.
  init(creating path: String) throws {
    number = try Self.check(open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600), "made")
  }

  /// Opens a folder, to sync it.
  init(folder path: String) throws { number = try Self.check(open(path, O_RDONLY | O_CLOEXEC), "opened") }

  /// Writes all of the bytes.
  func write(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        #if canImport(Glibc)
          let count = Glibc.write(number, rest.base.baseAddress?.advanced(by: rest.startIndex), rest.count)
        #elseif canImport(Musl)
          let count = Musl.write(number, rest.base.baseAddress?.advanced(by: rest.startIndex), rest.count)
        #else
          let count = Darwin.write(number, rest.base.baseAddress?.advanced(by: rest.startIndex), rest.count)
        #endif
        if count < 0, errno == EINTR { continue }
        rest = rest.dropFirst(Int(try Self.check(Int32(clamping: count), "written")))
      }
    }
  }

  /// Writes as much of a text as goes.
  func write(_ text: String) { try? write(Array(text.utf8)) }

  /// Returns when everything written is on the disk itself.
  func sync() throws { _ = try Self.check(fsync(number), "synced") }

  /// Closes it, once.
  func close() {
    #if canImport(Glibc)
      _ = Glibc.close(number)
    #elseif canImport(Musl)
      _ = Musl.close(number)
    #else
      _ = Darwin.close(number)
    #endif
  }

  /// Gives a file another name, in place of what had it.
  static func rename(_ path: String, to other: String) throws {
    #if canImport(Glibc)
      _ = try check(Glibc.rename(path, other), "renamed")
    #elseif canImport(Musl)
      _ = try check(Musl.rename(path, other), "renamed")
    #else
      _ = try check(Darwin.rename(path, other), "renamed")
    #endif
  }

  private static func check(_ result: Int32, _ what: String) throws -> Int32 {
    guard result < 0 else { return result }
    throw FileError(isFull: errno == ENOSPC || errno == EDQUOT, number: errno, what: what)
  }
}

/// The system refused something with a file.
struct FileError: Error, CustomStringConvertible {
  /// Whether there was no room.
  let isFull: Bool
  /// The system's error number.
  let number: Int32
  fileprivate let what: String

  /// One sentence without the file's name.
  var description: String { "A file can't be \(what): \(String(cString: strerror(number)))." }
}
