#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import Foundation
import SkeinModel

/// The body of a request while it is being sent.
enum BodySource: Sendable {
  case bytes([UInt8])
  case file(FileHandle, from: Int64, count: Int64)

  private static let unreadable = "The file can't be read."

  /// Opens the file of a body; throws a permanent `BackendError` if the file can't be read or is too short.
  init(_ body: TransportRequest.Body) throws {
    switch body {
    case .bytes(let bytes): self = .bytes(bytes)
    case .file(let url, let offset, let count):
      do {
        let file = try FileHandle(forReadingFrom: url)
        var info = stat()
        guard fstat(file.fileDescriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
          throw BackendError(.permanent, Self.unreadable)
        }
        let rest = Int64(info.st_size) - offset
        guard offset >= 0, count ?? rest >= 0, count ?? rest <= rest else { throw Self.changed }
        self = .file(file, from: offset, count: count ?? rest)
      } catch let error as BackendError {
        throw error
      } catch {
        throw BackendError(.permanent, Self.unreadable, cause: error)
      }
    }
  }

  /// The error for a file that is shorter than stated.
  static let changed = BackendError(.permanent, "The file is shorter than when it was attached.")

  var count: Int64 {
    switch self {
    case .bytes(let bytes): Int64(bytes.count)
    case .file(_, _, let count): count
    }
  }

  /// Copies bytes from an offset on, and returns the number of copied bytes: 0 at the end, nil if the file
  /// can't be read or has become shorter. Blocks the thread while a file is read.
  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    let wanted = Int(clamping: min(Int64(buffer.count), count - offset))
    guard wanted > 0 else { return 0 }
    switch self {
    case .bytes(let bytes):
      bytes.withUnsafeBytes { bytes in
        buffer.copyMemory(
          from: UnsafeRawBufferPointer(rebasing: bytes[Int(offset)..<(Int(offset) + wanted)]))
      }
      return wanted
    case .file(let file, let start, _):
      let length = pread(file.fileDescriptor, buffer.baseAddress, wanted, off_t(start + offset))
      return length > 0 ? length : nil
    }
  }
}
