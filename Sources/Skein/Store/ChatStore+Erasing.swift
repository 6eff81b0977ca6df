#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage

/// Removes an account's files, while other processes may have its database open.
///
/// Before the files are removed, the account's row loses its user. Every later transaction of another process then fails,
/// instead of changing a file that has no name any more.
extension ChatStore {
  /// The files of an account. The database is the first one: what an interrupted erasure leaves contains no texts, unless
  /// another process has kept the log beside the database in use.
  private static let files = [
    "chat.sqlite", "chat.sqlite-wal", "chat.sqlite-shm", "outgoing", "media", "outgoing.lock",
    "installation.json", "lease",
  ]

  static func file(of runtime: Runtime) -> URL { runtime.directory.appending(path: "chat.sqlite") }

  /// The file that the process with the lease locks. An erasure locks it as well.
  static func leaseFile(of runtime: Runtime) -> URL { runtime.directory.appending(path: "lease") }

  /// Makes the database useless for all processes. A database that is closed, full or damaged is erased without this.
  func noteErasure() async {
    try? await database.write(.powerCut) { try $0.removeOwner() }
  }

  /// Ends an erasure that was interrupted.
  ///
  /// - Returns: false if another process is erasing the data.
  static func finishErasure(_ runtime: Runtime, _ options: DatabaseOptions) async throws -> Bool {
    guard let lock = try FileLock.acquire(.exclusive, on: leaseFile(of: runtime)) else { return false }
    defer { lock.release() }
    // The erasure may have ended meanwhile, and another process may have created a new database.
    guard FileManager.default.fileExists(atPath: file(of: runtime).path) else { return true }
    let database = try await Database.open(
      at: file(of: runtime), schema: ChatSchema.current, options: options)
    let isErased: Bool
    do {
      isErased = try await database.read { try $0.account()?.isErased ?? true }
    } catch {
      await database.close()
      throw error
    }
    await database.close()
    if isErased { try removeFiles(runtime) }
    return true
  }

  /// Removes what an interrupted erasure has left after it removed the database. The caller has the lock of the erasure.
  static func removeLeftovers(_ runtime: Runtime) throws {
    let isThere = { (file: URL) in FileManager.default.fileExists(atPath: file.path) }
    guard !isThere(file(of: runtime)) else { return }
    let left = files.filter { name in
      let file = runtime.directory.appending(path: name)
      return file != leaseFile(of: runtime) && isThere(file)
    }
    try removeFiles(runtime, left)
  }

  static func removeFiles(_ runtime: Runtime, _ names: [String] = files) throws {
    for name in names {
      do {
        try runtime.gate?("FILE REMOVE")
        try FileManager.default.removeItem(at: runtime.directory.appending(path: name))
      } catch let error as CocoaError where error.code == .fileNoSuchFile {}
    }
  }

  /// Checks the owner of the database.
  ///
  /// - Throws: ``ChatError`` with `dataErased` if another process has erased the account's data.
  func checkOwner(_ row: AccountRow) throws {
    if row.user != account {
      throw ChatError(.dataErased, "Another process has erased this account's data from this device.")
    }
  }
}

extension AccountRow {
  /// Whether the erasure of the database has begun.
  var isErased: Bool { user.rawValue.isEmpty }
}

extension WriteTransaction {
  fileprivate func removeOwner() throws { try execute("UPDATE account SET user = ''") }
}
