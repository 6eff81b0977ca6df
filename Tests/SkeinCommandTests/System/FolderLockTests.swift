import Foundation
import Testing

@testable import SkeinCommand

@Suite("A failed start leaves no new files")
struct FolderLockTests {
  @Test("A new lock and new empty folders are removed; an existing lock and a folder with other files stay")
  func undo() throws {
    let files = FileManager.default
    let outer = files.temporaryDirectory.appending(path: "skein-\(UUID().uuidString)")
    defer { try? files.removeItem(at: outer) }
    let folder = outer.appending(path: "a/b", directoryHint: .isDirectory)

    try FolderLock.acquire(folder, .exclusive).undo()
    #expect(!files.fileExists(atPath: outer.path))

    let lock = try FolderLock.acquire(folder, .exclusive)
    try Data("x".utf8).write(to: folder.appending(path: "kept"))
    lock.undo()
    #expect(try files.contentsOfDirectory(atPath: folder.path) == ["kept"])

    try Data().write(to: folder.appending(path: "lock"))
    try FolderLock.acquire(folder, .exclusive).undo()
    #expect(files.fileExists(atPath: folder.appending(path: "lock").path))
  }

  // Both hosts are reserved for documentation and tests (RFC 5737, RFC 2606).
  @Test(
    "Listening on a host that is not an address of this machine is refused",
    arguments: ["192.0.2.1", "host.invalid"])
  func address(host: String) {
    let error = #expect(throws: Failure.self) { try ListeningPort.check(0, on: host) }
    #expect(error?.description.contains(host) == true)
  }
}
