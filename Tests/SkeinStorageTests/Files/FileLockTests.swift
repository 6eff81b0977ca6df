import Foundation
import SkeinStorage
import Testing

@Suite("A lock on a file")
struct FileLockTests {
  @Test("A lock is exclusive or shared, and is free after its release")
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

  @Test("A file that can't be created is an error")
  func noFolder() {
    #expect(throws: StorageError.self) {
      try FileLock.acquire(.shared, on: URL(filePath: "/nowhere/at/all"))
    }
  }
}
