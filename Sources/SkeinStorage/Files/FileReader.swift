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

/// Reads a file in chunks of bounded size.
///
/// Every call blocks while the disk is read. Calls throw ``StorageError``: `notFound` if the file does not exist,
/// `readOnly` if this process may not read it, or `io`.
public struct FileReader: Sendable {
  private let file: Descriptor

  /// Opens a file at its start.
  public init(_ url: URL) throws {
    file = try Descriptor("open the file") { open(url.path(percentEncoded: false), O_RDONLY | O_CLOEXEC) }
  }

  /// Returns the next bytes, at most `count`; an empty array at the end of the file. Throws for a folder.
  public func read(upTo count: Int) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
      length = try check("read the file") { Self.read(file.number, buffer.baseAddress, count) }
    }
  }

  /// Makes the system call `read`. The call names its module, since the method ``read(upTo:)`` hides the
  /// function.
  private static func read(_ number: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    #if canImport(Darwin)
      Darwin.read(number, bytes, count)
    #else
      Glibc.read(number, bytes, count)
    #endif
  }
}
