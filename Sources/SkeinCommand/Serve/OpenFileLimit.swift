#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How many files and connections this process may have open.
enum OpenFileLimit {
  /// Raises the limit to `count`, or to the largest limit that the system allows this process. Never lowers the limit.
  static func raise(to count: Int) {
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return }
    let raised = min(rlim_t(count), limit.rlim_max)
    guard raised > limit.rlim_cur else { return }
    limit.rlim_cur = raised
    // If this fails, the server accepts as many connections as the present limit allows.
    _ = setrlimit(resource, &limit)
  }
}
