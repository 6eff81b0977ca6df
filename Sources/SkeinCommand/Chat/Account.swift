import Foundation
import Skein
import SkeinHTTP

/// A user of a server on this device, and the session that its folder keeps.
struct Account: Sendable {
  let server: URL
  let user: UserID
  /// The folder, which exists.
  let folder: URL

  private var file: URL { folder.appending(path: "session.json") }

  /// The stored session, or a new one. With a stored session no password and no connection is needed.
  ///
  /// - Throws: `BackendError` if the server refuses or can't be reached, ``UsageError`` if there is no password.
  func session(password: String?, registering: Bool) async throws -> Session {
    if !registering, let session = storedSession() { return session }
    guard let password, !password.isEmpty else {
      throw UsageError("The password is missing: give it with SKEIN_PASSWORD or --password.")
    }
    let accounts = HTTPAccounts(server: server)
    if registering { try await accounts.register(user, password: password) }
    let session = try await accounts.signIn(user, password: password, device: "skein")
    try store(session)
    return session
  }

  /// Has the next start sign in again.
  func forgetSession() { try? FileManager.default.removeItem(at: file) }

  private func storedSession() -> Session? {
    guard let data = try? Data(contentsOf: file),
      let session = try? JSONDecoder().decode(Session.self, from: data), session.server == server,
      session.user == user, session.expiresAt.rawValue > Int64(Date().timeIntervalSince1970 * 1000)
    else { return nil }
    return session
  }

  private func store(_ session: Session) throws {
    // Made unreadable for others before the token is in it.
    try Data().write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    let handle = try FileHandle(forWritingTo: file)
    defer { try? handle.close() }
    try handle.write(contentsOf: JSONEncoder().encode(session))
  }
}
