#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
#if canImport(Darwin)
  import Darwin
#endif

extension Runtime {
  /// Returns a runtime with the system's clocks, random numbers and tasks, and with its files in `directory`.
  public static func system(directory: URL) -> Runtime {
    let start = ContinuousClock.now
    return Runtime(
      now: { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) },
      uptime: { start.duration(to: .now) },
      sleepUntil: { try await ContinuousClock().sleep(until: start + $0) },
      random: {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
      },
      directory: directory, boot: currentBoot)
  }

  /// The kernel's id of the machine's current boot; nil if the kernel provides no id.
  private static var currentBoot: String? {
    #if os(Linux)
      let file = URL(filePath: "/proc/sys/kernel/random/boot_id")
      guard let text = try? String(decoding: Data(contentsOf: file), as: UTF8.self) else { return nil }
    #elseif canImport(Darwin)
      var size = 0
      guard sysctlbyname("kern.bootsessionuuid", nil, &size, nil, 0) == 0 else { return nil }
      var bytes = [UInt8](repeating: 0, count: size)
      guard sysctlbyname("kern.bootsessionuuid", &bytes, &size, nil, 0) == 0 else { return nil }
      let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    #else
      let text = ""
    #endif
    let name = text.filter { $0.isHexDigit || $0 == "-" }
    return name.isEmpty ? nil : name
  }

  /// Starts an unstructured task on ``executor``.
  @discardableResult
  public func spawn<Success: Sendable>(
    _ operation: sending @escaping @isolated(any) () async throws -> Success
  ) -> Task<Success, any Error> {
    Task(executorPreference: executor, priority: .medium, operation: operation)
  }
}
