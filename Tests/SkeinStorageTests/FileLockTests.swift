import Foundation
import SkeinStorage
import Testing

@Suite("A lock on a file")
struct FileLockTests {
  @Test("One holds it alone, or many share it; it is free when it is let go")
  func kinds() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "skein-lock-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    let alone = try #require(try FileLock.acquire(.exclusive, on: file))
    #expect(try FileLock.acquire(.exclusive, on: file) == nil)
    #expect(try FileLock.acquire(.shared, on: file) == nil)
    alone.release()
    var shared = [try FileLock.acquire(.shared, on: file), try FileLock.acquire(.shared, on: file)]
    #expect(shared.compactMap(\.self).count == 2)
    #expect(try FileLock.acquire(.exclusive, on: file) == nil)
    shared = []
    #expect(try FileLock.acquire(.exclusive, on: file) != nil)
  }

  @Test("A file that can't be made is an error")
  func noFolder() {
    #expect(throws: StorageError.self) {
      try FileLock.acquire(.shared, on: URL(filePath: "/nowhere/at/all"))
    }
  }
}
