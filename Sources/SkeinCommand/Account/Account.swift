import Foundation
import Skein
import SkeinHTTP

/// A user of a server on this device, and the session that its folder keeps.
struct Account: Sendable {
  let server: URL
  let user: UserID
  /// The folder, which exists and no server has.
  let folder: URL
  /// The way that messages take to the server.
  var sending = HTTPOptions.Sending.http
  /// The order in which messages go out.
  var lanePolicy = LanePolicy.mediaLane
  /// How many messages of a chat catching up brings.
  var catchUpPageSize = ChatOptions().catchUpPageSize
  /// What kinds of message are understood.
  var kinds = KindRegistry.command
  /// How many messages of a chat are held at a time.
  var windowSize = ChatOptions().windowSize

  private var file: URL { folder.appending(path: "session.json") }
  private var database: URL { folder.appending(path: "chat.sqlite") }

  /// The stored session, or a new one. With a stored session no password and no connection is needed.
  ///
  /// The folder is looked at before the server hears of anything. An account that exists already is signed in to.
  /// - Throws: `BackendError` if the server refuses or can't be reached, ``UsageError`` if there is no password,
  ///   ``Failure`` if the folder is another server's or another user's.
  func session(password: String?, registering: Bool) async throws -> Session {
    let stored = storedSession()
    if let stored { try check(stored) }
    // An old token may be renewed, once there is a connection.
    let isOver = { (session: Session) in
      session.expiresAt.rawValue <= Int64(Date().timeIntervalSince1970 * 1000) && session.refreshToken == nil
    }
    if let stored, !isOver(stored) { return stored }
    guard let password, !password.isEmpty else {
      throw UsageError("The password is missing: give it with SKEIN_PASSWORD or --password.")
    }
    try await checkDatabase()
    let session = try await signIn(password, registering: registering)
    try store(session)
    return session
  }

  /// Opens the folder's messages.
  ///
  /// - Throws: ``Failure`` that names the folder.
  func open(_ session: Session) async throws -> ChatClient {
    try DatabaseFile.check(database)
    var http = HTTPOptions()
    http.sending = sending
    var options = ChatOptions()
    options.lanePolicy = lanePolicy
    options.catchUpPageSize = catchUpPageSize
    options.windowSize = windowSize
    do {
      return try await ChatClient.open(
        account: session.user, backend: HTTPBackend(session, options: http) { try store($0) }, kinds: kinds,
        runtime: .system(directory: folder), options: options)
    } catch let error as ChatError where error.code == .foreignDatabase {
      throw Failure("The folder \(folder.shownPath) holds another user's chats; \(Account.advice)", error)
    } catch {
      throw Failure(
        "The messages in the folder \(folder.shownPath) can't be opened: \(ProblemText.of(error))", error)
    }
  }

  /// Has the next start sign in again; whose folder it is stays known.
  func forgetSession() {
    guard var session = storedSession() else { return }
    (session.token, session.refreshToken) = (AccessToken(rawValue: ""), nil)
    session.expiresAt = Timestamp(milliseconds: 0)
    try? store(session)
  }

  // MARK: The folder's owner

  private static let advice = "choose another folder with --data."

  private func check(_ session: Session) throws {
    guard Account.isSame(session.server, server) else {
      throw Failure(
        "The folder \(folder.shownPath) belongs to the server \(session.server.absoluteString), not to "
          + "\(server.absoluteString); \(Account.advice)")
    }
    guard session.user == user else {
      throw Failure(
        "The folder \(folder.shownPath) holds the chats of \(session.user.rawValue), not of "
          + "\(user.rawValue); \(Account.advice)")
    }
  }

  /// A database without a session knows whose it is, too; it is opened with a session that is good for nothing.
  private func checkDatabase() async throws {
    guard FileManager.default.fileExists(atPath: database.path) else { return }
    let nothing = Session(
      server: server, user: user, token: AccessToken(rawValue: ""), expiresAt: Timestamp(milliseconds: 0))
    try await open(nothing).close()
  }

  /// Whether two addresses lead to one place: scheme and host in any case, the port written out or not.
  static func isSame(_ left: URL, _ right: URL) -> Bool { place(left) == place(right) }

  private static func place(_ url: URL) -> [String] {
    let scheme = url.scheme?.lowercased() ?? ""
    let port = url.port ?? (scheme == "https" ? 443 : 80)
    let path = url.path.split(separator: "/").joined(separator: "/")
    return [scheme, url.host()?.lowercased() ?? "", String(port), path]
  }

  // MARK: The session

  private func signIn(_ password: String, registering: Bool) async throws -> Session {
    let accounts = HTTPAccounts(server: server)
    var refusal: BackendError?
    if registering {
      do {
        try await accounts.register(user, password: password)
      } catch let error as BackendError where error.code == .permanent {
        refusal = error
      }
    }
    do {
      return try await accounts.signIn(user, password: password, device: "skein")
    } catch let error as BackendError {
      // A refused account is most likely there already; if not, its refusal says what is wrong.
      guard let refusal else { throw error }
      throw BackendError(error.code, "\(refusal.message) \(error.message)", cause: error)
    }
  }

  private func storedSession() -> Session? {
    guard let data = try? Data(contentsOf: file) else { return nil }
    return try? JSONDecoder().decode(Session.self, from: data)
  }

  private func store(_ session: Session) throws {
    // Beside it, for a renewal may be cut short at any time; and unreadable for others before the token is in it.
    let new = folder.appending(path: "session.json.new")
    try Data().write(to: new)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: new.path)
    let handle = try FileHandle(forWritingTo: new)
    try handle.write(contentsOf: JSONEncoder().encode(session))
    try handle.synchronize()
    try handle.close()
    guard rename(new.path, file.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
  }
}
