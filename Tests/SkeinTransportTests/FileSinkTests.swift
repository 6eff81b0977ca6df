import Foundation
import SkeinModel
import Testing

@testable import SkeinTransport

@Suite("Resumable downloads")
struct FileSinkTests {
  private let whole = Data((0..<100).map { UInt8($0) })

  /// The final file of a download after an earlier download of 40 bytes.
  ///
  /// - Parameter isRest: whether `parts` continue after these bytes. If not, `parts` contain the whole file.
  private func fetch(_ parts: [Data], isRest: Bool) async throws -> Data {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "film")
    let first = try FileSink(target: file, name: "a1", size: Int64(whole.count))
    try whole.prefix(40).withUnsafeBytes { try first.write($0, isRest: false) }
    first.abandon(after: CancellationError())
    let sink = try FileSink(target: file, name: "a1", size: Int64(whole.count))
    #expect(sink.start == 40)
    for part in parts { try part.withUnsafeBytes { try sink.write($0, isRest: isRest) } }
    try await sink.finish()
    return try Data(contentsOf: file)
  }

  @Test("A download continues where an earlier one was interrupted")
  func rest() async throws {
    #expect(try await fetch([whole[40..<70], whole[70...]], isRest: true) == whole)
  }

  @Test("A file that the server sends again from the start is written from the start, in parts of any size")
  func again() async throws {
    for size in [100, 40, 20, 7] {
      let parts = stride(from: 0, to: 100, by: size).map { whole[$0..<min($0 + size, 100)] }
      #expect(try await fetch(parts, isRest: false) == whole)
    }
  }

  @Test("A continued file with another hash than expected is removed, and the next download starts anew")
  func otherContent() async throws {
    try await withFolder { folder in
      let file = folder.appending(path: "film")
      let hash = ContentHash.hash(of: whole)
      func sink() throws -> FileSink {
        try FileSink(target: file, name: "a1", size: Int64(whole.count), hash: hash)
      }
      try Data(count: 40).write(to: folder.appending(path: "film.a1.partial"))
      let continued = try sink()
      #expect(continued.start == 40)
      await #expect(throws: BackendError.self) {
        try await continued.fill { sink in
          try whole[40...].withUnsafeBytes { try sink.write($0, isRest: true) }
        }
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)

      let next = try sink()
      #expect(next.start == 0)
      try await next.fill { sink in try whole.withUnsafeBytes { try sink.write($0, isRest: false) } }
      #expect(try Data(contentsOf: file) == whole)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["film"])
    }
  }

  @Test(
    "Downloads of one file to the same place at the same time all succeed, and don't write to the finished file"
  )
  func atOnce() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (file, whole) = (folder.appending(path: "film"), whole)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<500 {
            let sink = try FileSink(target: file, name: "a1", size: Int64(whole.count))
            try whole.withUnsafeBytes { try sink.write($0, isRest: false) }
            try await sink.finish()
            #expect(try Data(contentsOf: file) == whole)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["film"])
  }
}
