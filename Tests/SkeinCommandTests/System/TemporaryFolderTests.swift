import Foundation
import Testing

@testable import SkeinCommand

@Suite("Temporary folders of commands")
struct TemporaryFolderTests {
  @Test("A folder is created for each command, and removed with its files while others are created in it")
  func removal() async throws {
    let folders = try [TemporaryFolder("skein-test"), TemporaryFolder("skein-test")]
    #expect(folders[0].url != folders[1].url)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for number in 0..<1000 { try? Data().write(to: folders[0].url.appending(path: "\(number)")) }
      }
      folders[0].remove()
      try await group.waitForAll()
    }
    #expect(!FileManager.default.fileExists(atPath: folders[0].url.path))
    #expect(FileManager.default.fileExists(atPath: folders[1].url.path))
    folders[1].remove()
  }
}
