#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
public import Foundation
import SkeinModel
import Synchronization

/// A file that is being downloaded. The file is written beside its final path; ``finish()`` moves the file to
/// that path.
///
/// ```swift
/// try await FileSink(target: file, name: id, size: size).fill { sink in
///   if sink.start > 0 { request.headers.append(("Range", "bytes=\(sink.start)-")) }
///   let answer = try await transport.perform(request, into: sink)
///   try check(answer.status)
/// }
/// ```
public final class FileSink: Sendable {
  /// The offset of the first missing byte: the length of an earlier download's partial file, or 0.
  public let start: Int64
  private let target: URL
  private let partial: URL
  /// Whether a later download of the same file can find and continue the partial file.
  private let isFindable: Bool
  private let file: FileHandle
  /// The expected length in bytes.
  private let size: Int64
  /// The expected SHA-256 of the whole file; nil if unknown.
  private let hash: String?
  private let written: Mutex<Int64>
  /// Whether the server has sent any bytes.
  private let hasBegun = Mutex(false)
  /// Whether the bytes can't become the expected file: there are too many or too few, or they are of another file.
  private let isSpoiled = Mutex(false)

  /// Opens the partial file of an earlier download, or creates an empty file; throws `CocoaError` if the file
  /// can't be created or opened.
  ///
  /// - Parameters:
  ///   - target: the final path of the file.
  ///   - name: the server's name for the file, which distinguishes partial files. A later download can
  ///     continue the partial file only if the name has at most 100 bytes, all of letters and digits.
  ///   - size: the length of the whole file in bytes.
  ///   - hash: the SHA-256 of the whole file, in lower-case hexadecimal digits; nil if the server does not state it.
  public init(target: URL, name: String, size: Int64, hash: String? = nil) throws {
    self.target = target
    self.size = size
    self.hash = hash
    let folder = target.deletingLastPathComponent()
    let isPlain =
      name.utf8.count <= 100 && name.unicodeScalars.allSatisfy(CharacterSet.alphanumerics.contains)
    let known = folder.appending(path: "\(target.lastPathComponent).\(name).partial")
    if isPlain, let file = Self.lock(known) {
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

  /// Opens and locks a file, and creates the file if it does not exist; nil if another download has locked the file, or if
  /// the file can't be opened.
  private static func lock(_ url: URL) -> FileHandle? {
    while true {
      let descriptor = open(url.path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
      guard descriptor >= 0 else { return nil }
      let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
      var (opened, named) = (stat(), stat())
      let isThere = fstat(descriptor, &opened) == 0 && stat(url.path, &named) == 0
      // Otherwise another download has moved or removed the opened file before it was locked.
      if isThere, opened.st_dev == named.st_dev, opened.st_ino == named.st_ino { return file }
    }
  }

  /// Checks the `Content-Range` of an answer with a part of the file; throws `garbled` unless the part begins
  /// at ``start``, and the whole file has the expected length if the server states a length. Otherwise the file
  /// would have bytes of different places or files.
  func checkRange(_ range: String?) throws {
    // The form is `bytes FIRST-LAST/LENGTH`, with `*` for an unknown length.
    let parts = (range ?? "").split { " -/".contains($0) }
    guard parts.count == 4, parts[0].lowercased() == "bytes", Int64(parts[1]) == start,
      parts[3] == "*" || Int64(parts[3]) == size
    else { throw spoil(with: .garbled) }
  }

  /// Prevents a later download from continuing the partial file. Returns the error to throw.
  private func spoil(with error: BackendError) -> BackendError {
    isSpoiled.withLock { $0 = true }
    return error
  }

  /// Writes received bytes at the end of the file.
  ///
  /// - Parameter isRest: whether the server sends only the bytes from ``start`` on. If not, the first call
  ///   empties the file.
  func write(_ bytes: UnsafeRawBufferPointer, isRest: Bool) throws {
    let isFirst = hasBegun.withLock { hasBegun in
      defer { hasBegun = true }
      return !hasBegun
    }
    try written.withLock { written in
      if isFirst, !isRest {
        try file.truncate(atOffset: 0)
        written = 0
      }
      guard bytes.count <= size - written else { throw spoil(with: .oversize) }
      guard let base = bytes.baseAddress else { return }
      // FileHandle only reads the memory, and does not keep it.
      let data = Data(
        bytesNoCopy: UnsafeMutableRawPointer(mutating: base), count: bytes.count, deallocator: .none)
      try file.write(contentsOf: data)
      written += Int64(bytes.count)
    }
  }

  /// Downloads the missing bytes, if there are any, and finishes the file. If that fails, abandons it, and throws the error.
  public func fill(_ download: (FileSink) async throws -> Void) async throws {
    do {
      // An empty file is requested too: the server may refuse it.
      if start == 0 || start < size { try await download(self) }
      try await finish()
    } catch {
      abandon(after: error)
      throw error
    }
  }

  /// Waits until the file is on the disk, and moves the file to its final path, where it replaces any other
  /// file.
  ///
  /// - Throws: `garbled` if bytes are missing or the file has another hash than expected; the system's error if
  ///   the file can't be read, stored or moved; `CancellationError` if the task is cancelled.
  public func finish() async throws {
    guard written.withLock({ $0 == size }) else { throw spoil(with: .garbled) }
    if let hash, try await computeHash() != hash { throw spoil(with: .garbled) }
    try file.synchronize()
    guard rename(partial.path, target.path) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    try file.close()
  }

  /// The hash of the written file. Reads the file, since an earlier process may have written a part of it.
  @concurrent private func computeHash() async throws -> String {
    let reader = try FileHandle(forReadingFrom: partial)
    var hash = ContentHash()
    while let piece = try reader.read(upToCount: 1 << 20), !piece.isEmpty {
      try Task.checkCancellation()
      hash.update(Array(piece))
      await Task.yield()
    }
    return hash.finish()
  }

  /// Closes the partial file. Keeps the partial file only if a later download can continue it and `error` is
  /// not permanent.
  public func abandon(after error: any Error) {
    let isUseful = isFindable && written.withLock { $0 > 0 } && !isSpoiled.withLock { $0 }
    if !isUseful || (error as? BackendError)?.code == .permanent {
      try? FileManager.default.removeItem(at: partial)
    }
    try? file.close()
  }
}
