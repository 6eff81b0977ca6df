import Foundation
import SkeinModel
import SkeinTransport
import Synchronization

extension TransportOptions {
  /// Limits that a busy machine does not reach.
  static let patient = {
    var options = TransportOptions()
    options.idleTimeout = .seconds(3600)
    return options
  }()
}

extension TransportRequest {
  /// A `GET` of this address.
  init(url: URL, headers: [(name: String, value: String)] = []) {
    self.init("GET", url, headers: headers)
  }
}

/// The `BackendError` of a call; nil if it succeeds or throws another error.
func backendError(of call: () async throws -> Void) async -> BackendError? {
  do {
    try await call()
    return nil
  } catch {
    return error as? BackendError
  }
}

/// Values in the order in which they were added, for which a test can wait.
final class Notes: Sendable {
  private struct State {
    var all: [String] = []
    var waiters: [(count: Int, waiter: CheckedContinuation<Void, Never>)] = []
  }
  private let state = Mutex(State())

  var all: [String] { state.withLock { $0.all } }

  func add(_ note: String) {
    let ready = state.withLock { state in
      state.all.append(note)
      let ready = state.waiters.filter { $0.count <= state.all.count }
      state.waiters.removeAll { $0.count <= state.all.count }
      return ready
    }
    for (_, waiter) in ready { waiter.resume() }
  }

  /// Waits until this many values have been added.
  func wait(for count: Int) async {
    await withCheckedContinuation { waiter in
      let isReady = state.withLock { state in
        if state.all.count >= count { return true }
        state.waiters.append((count, waiter))
        return false
      }
      if isReady { waiter.resume() }
    }
  }
}

/// Counts from 1 on.
final class Counter: Sendable {
  private let count = Mutex(0)

  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}

/// Runs `body` with the path of a new folder.
func withFolder<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
  let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try await body(folder)
}

/// Bytes that repeat after 65,521 bytes. This length is a prime number, so that a test notices swapped or
/// missing parts of usual sizes.
func pattern(_ count: Int) -> [UInt8] {
  let block = (0..<min(count, 65_521)).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
  var bytes: [UInt8] = []
  bytes.reserveCapacity(count)
  while bytes.count < count { bytes += block.prefix(count - bytes.count) }
  return bytes
}
