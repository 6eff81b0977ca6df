#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Skein
import Synchronization

extension Device {
  /// Kills the process.
  func kill() { process?.kill() }

  /// Removes a dead process, and keeps the files as they were when it died.
  ///
  /// Tasks of the dead process that still run use the old folder until they end; then that folder is deleted.
  func bury() throws {
    guard let process, process.isDead else { return }
    world.note("\(name) is dead after \(process.statements) statements")
    let files = FileManager.default
    let kept = folder.deletingLastPathComponent().appending(path: "\(name).next")
    try? files.removeItem(at: kept)
    try files.createDirectory(at: kept, withIntermediateDirectories: true)
    // The shared memory file is not copied, since it belongs to the connections of the dead process.
    for part in ["chat.sqlite", "chat.sqlite-wal", "outgoing"] {
      let file = folder.appending(path: part)
      if files.fileExists(atPath: file.path) { try files.copyItem(at: file, to: kept.appending(path: part)) }
    }
    let (client, tasks) = state.withLock { state in
      defer {
        state.client = nil
        state.process = nil
        state.isStarted = false
        state.chats = [:]
        state.tasks = []
        state.underWay = []
        state.inspection = nil
      }
      return (state.client, state.tasks)
    }
    for task in tasks { task.cancel() }
    clears.died()
    server.disconnect(name)
    let end = runtime(of: process).spawn { await client?.close() }
    if !world.drain(process, limit: 20_000) { world.note("\(name) does not come to rest") }
    end.cancel()
    process.drop()
    try? files.removeItem(at: folder)
    try files.moveItem(at: kept, to: folder)
  }
}
