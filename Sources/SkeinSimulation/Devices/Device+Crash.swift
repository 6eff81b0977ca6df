#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Skein
import SkeinStorage
import Synchronization

extension Device {
  /// Kills the process.
  func kill() { process?.kill() }

  /// Removes a dead process, and keeps the files as they were when the process died. After a power cut, the
  /// writes that were not synchronized are lost.
  ///
  /// Tasks of the dead process that still run can't change the database. They use the old folder until they end; then
  /// that folder is deleted. If the next process takes over the connections, the folder stays where it is.
  /// - Returns: Whether a power cut has lost writes.
  func bury() throws -> Bool {
    guard let process, process.isDead else { return false }
    world.note("\(name) is dead after \(process.statements) statements")
    let handsOver = handsOver && client != nil && !process.losesPower
    let kept = handsOver ? nil : try copyFiles()
    var lost = 0
    // Before the client is open, the database may not have a write-ahead log yet.
    if let kept, process.losesPower, client != nil {
      lost = PowerCut.takeBack(in: kept, from: folder)
      world.note("\(name) loses \(lost) writes with the power")
    }
    let (client, tasks) = state.withLock { state in
      if process.losesPower { state.powerCuts += 1 }
      defer {
        state.client = nil
        state.process = nil
        state.isStarted = false
        state.chats = [:]
        state.tasks = []
        state.underWay = []
        if !handsOver { state.inspection = nil }
      }
      return (state.client, state.tasks)
    }
    for task in tasks { task.cancel() }
    clears.died()
    settings.died()
    server.disconnect(name)
    // The connection that closes last would copy its log into this file. SQLite omits the copy if the file is gone.
    if handsOver { connections.open() } else { try? FileManager.default.removeItem(at: database) }
    let end = runtime(of: process).spawn { await client?.close() }
    if !world.drain(process, limit: 20_000) { world.note("\(name) does not come to rest") }
    end.cancel()
    process.drop()
    try replaceFolder(by: kept)
    if lost > 0 { forgetWhatWasLost() }
    return lost > 0
  }

  /// Copies the files that a process leaves to a folder beside the device's folder.
  private func copyFiles() throws -> URL {
    let files = FileManager.default
    let copy = folder.deletingLastPathComponent().appending(path: "\(name).next")
    try? files.removeItem(at: copy)
    try files.createDirectory(at: copy, withIntermediateDirectories: true)
    for part in PowerCut.parts {
      try PowerCut.copyFile(folder.appending(path: part), to: copy.appending(path: part))
    }
    let attached = folder.appending(path: Self.attached)
    if files.fileExists(atPath: attached.path) {
      try files.copyItem(at: attached, to: copy.appending(path: Self.attached))
    }
    return copy
  }

  /// Replaces the device's folder by a copy; if there is none, removes from the folder what a copy would lack.
  private func replaceFolder(by copy: URL?) throws {
    let files = FileManager.default
    if let copy {
      connections.clear()
      try? files.removeItem(at: folder)
      try files.moveItem(at: copy, to: folder)
    } else {
      for file in try files.contentsOfDirectory(atPath: folder.path)
      where file != Self.attached && !PowerCut.parts.contains(file) {
        try files.removeItem(at: folder.appending(path: file))
      }
    }
    PowerCut.forgetWrites(in: folder)
  }

  /// The folder of the attached files.
  private static let attached = "outgoing"

  /// Adapts the records of the checks to an account that is about to be erased.
  func forgetsEverything() {
    state.withLock { state in
      (state.cursor, state.readMarks, state.floors, state.histories) = (0, [:], [:], [:])
    }
    settings.lostPower()
    record.lostPower([])
  }

  /// Adapts the records of the checks to the database that is left after a power cut. The power cut may have
  /// undone commits: received messages may be missing, and read marks and cursors may have gone back.
  private func forgetWhatWasLost() {
    let left = try? Inspection(database).read { rows in
      (
        cursor: try rows.scalar(String.self, "SELECT cursor FROM account").flatMap { Int($0) } ?? 0,
        marks: try rows.rows((Int64.self, Int64.self), "SELECT id, read_mark FROM conversation"),
        statuses: try rows.rows(
          (LocalMessageID.self, MessageID.self, MessageStatus.self),
          "SELECT id, message_id, status FROM message")
      )
    }
    guard let left else {
      return ledger.report("P1", "\(name): its database can't be read after a power cut")
    }
    state.withLock { state in
      state.cursor = min(state.cursor, left.cursor)
      state.readMarks = Dictionary(left.marks) { $1 }
      state.histories = [:]
    }
    settings.lostPower()
    record.lostPower(left.statuses.map { ($0.0, $0.1, $0.2) })
  }
}
