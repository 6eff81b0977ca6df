import Foundation
import SkeinStorage
import Testing

@Suite struct DurableFileTests {
  @Test(
    "A copy has the same bytes, replaces the existing file and leaves no other file behind",
    arguments: [
      0, 1, 131_072, 1_000_001,
    ])
  func copy(size: Int) async throws {
    try await withTemporaryFolder { folder in
      let source = folder.appending(path: "a file"), target = folder.appending(path: "火锅 %20")
      let bytes = Data((0..<size).map { UInt8(truncatingIfNeeded: $0) })
      try bytes.write(to: source)
      try Data("old".utf8).write(to: target)
      try DurableFile.copy(from: source, to: target)
      #expect(try Data(contentsOf: target) == bytes)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(Set(names) == ["a file", "火锅 %20"])
    }
  }

  @Test("A missing source or folder throws `notFound` and leaves the target unchanged")
  func notFound() async throws {
    try await withTemporaryFolder { folder in
      let target = folder.appending(path: "target"), none = folder.appending(path: "none")
      try Data("old".utf8).write(to: target)
      await expectStorage(.notFound) { try DurableFile.copy(from: none, to: target) }
      await expectStorage(.notFound) { try DurableFile.copy(from: target, to: none.appending(path: "file")) }
      // A folder can be opened but not read.
      await expectStorage(.io) { try DurableFile.copy(from: folder, to: target) }
      #expect(try Data(contentsOf: target) == Data("old".utf8))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["target"])
    }
  }
}
