#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An open file, which is closed when this object is deallocated.
final class Descriptor: Sendable {
  let number: Int32

  init(_ action: String, _ open: () -> Int32) throws { number = try check(action, open) }

  deinit { close(number) }
}

/// Makes a system call. Repeats the call if a signal interrupts it; throws if the call fails for another
/// reason.
@discardableResult
func check<T: BinaryInteger>(_ action: String, _ call: () -> T) throws -> T {
  while true {
    let answer = call()
    if answer >= 0 { return answer }
    let number = errno
    if number == EINTR { continue }
    throw StorageError(.init(errno: number), "Could not \(action): \(String(cString: strerror(number))).")
  }
}

extension StorageError.Code {
  fileprivate init(errno number: Int32) {
    self =
      switch number {
      case ENOSPC, EDQUOT: .full
      case ENOENT, ENOTDIR: .notFound
      case EACCES, EPERM, EROFS: .readOnly
      default: .io
      }
  }
}
