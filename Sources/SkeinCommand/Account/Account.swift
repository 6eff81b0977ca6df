import Foundation
import Skein
import SkeinHTTP
import SkeinMatrix

/// A user's account on a server, with its folder on this device.
struct Account: Sendable {
  let server: URL
  let user: UserID
  /// The folder with the session and the messages. The caller creates the folder.
  let folder: URL
  /// The protocol of the server.
  var serverProtocol = ServerProtocol.skein
  /// The transport of messages.
  var sending = HTTPOptions.Sending.http
  /// The order in which messages go out.
  var lanePolicy = LanePolicy.mediaLane
  /// The maximum number of messages that one answer to a sync contains for each chat.
  var catchUpPageSize = ChatOptions().catchUpPageSize
  /// The kinds that the client can decode.
  var kinds = KindRegistry.command
  /// The largest number of messages in a chat's list.
  var windowSize = ChatOptions().windowSize

  private var file: URL { folder.appending(path: "session.json") }
  private var database: URL { folder.appending(path: "chat.sqlite") }

  /// Returns the stored session, without a password and without a connection. Signs in for a new session in
  /// two cases: no session is stored, or the stored session has expired and can't be renewed.
  ///
  /// The folder is checked before the server is contacted. If `registering` is true and the account already
  /// exists, signs in to the existing account.
  /// - Throws: `BackendError` if the server refuses or can't be reached, ``UsageError`` if there is no
  ///   password or the server speaks the other protocol, ``Failure`` if the folder belongs to another server
  ///   or another user, or if the database can't be opened.
  func session(password: String?, registering: Bool) async throws -> AccountSession {
    let stored = storedSession()
    if let stored { try check(stored) }
    if let stored, !stored.isOver { return stored }
    guard let password, !password.isEmpty else {
      throw UsageError("The password is missing: give it with SKEIN_PASSWORD or --password.")
    }
    // The database names the whole user; a Matrix user may be named without the homeserver.
    if serverProtocol == .skein || user.rawValue.hasPrefix("@") { try await checkDatabase() }
    do {
      let session = try await signIn(password, registering: registering)
      try store(session)
      return session
    } catch let error as BackendError where error.code == .transient && serverProtocol == .skein {
      guard await MatrixAccounts(homeserver: server).isHomeserver() else { throw error }
      throw UsageError("The server is a Matrix homeserver: add --matrix.")
    }
  }

  /// Opens the folder's messages.
  ///
  /// - Throws: ``Failure`` with the path of the folder or of the database.
  func open(_ session: AccountSession) async throws -> ChatClient {
    try DatabaseFile.check(database)
    var options = ChatOptions()
    options.lanePolicy = lanePolicy
    options.catchUpPageSize = catchUpPageSize
    options.windowSize = windowSize
    do {
      return try await ChatClient.open(
        account: session.user, backend: session.backend(sending: sending) { try store($0) }, kinds: kinds,
        runtime: .system(directory: folder), options: options)
    } catch let error as ChatError where error.code == .foreignDatabase {
      throw Failure("The folder \(folder.shownPath) holds another user's chats; \(Account.advice)", error)
    } catch {
      throw Failure(
        "The messages in the folder \(folder.shownPath) can't be opened: \(ProblemText.of(error))", error)
    }
  }

  /// Discards the session's tokens, so that the next start signs in again. The folder still belongs to the
  /// account.
  func forgetSession() {
    guard let session = storedSession() else { return }
    try? store(session.forgotten)
  }

  // MARK: The folder's owner

  private static let advice = "choose another folder with --data."

  private func check(_ session: AccountSession) throws {
    guard Account.isSame(session.server, server) else {
      throw Failure(
        "The folder \(folder.shownPath) belongs to the server \(session.server.absoluteString), not to "
          + "\(server.absoluteString); \(Account.advice)")
    }
    guard session.isOf(user) else {
      throw Failure(
        "The folder \(folder.shownPath) holds the chats of \(session.user.rawValue), not of "
          + "\(user.rawValue); \(Account.advice)")
    }
  }

  /// Checks whether the database belongs to the account, by opening the database with an empty session. Does
  /// nothing if there is no database.
  private func checkDatabase() async throws {
    guard FileManager.default.fileExists(atPath: database.path) else { return }
    let nothing = Session(
      server: server, user: user, token: AccessToken(rawValue: ""), expiresAt: Timestamp(milliseconds: 0))
    try await open(.skein(nothing)).close()
  }

  /// Whether two server addresses are equal. The comparison ignores upper and lower case in scheme and host,
  /// a default port, and extra slashes in the path.
  static func isSame(_ left: URL, _ right: URL) -> Bool { place(left) == place(right) }

  private static func place(_ url: URL) -> [String] {
    let scheme = url.scheme?.lowercased() ?? ""
    let port = url.port ?? (scheme == "https" ? 443 : 80)
    let path = url.path.split(separator: "/").joined(separator: "/")
    return [scheme, url.host()?.lowercased() ?? "", String(port), path]
  }

  // MARK: The session

  private func signIn(_ password: String, registering: Bool) async throws -> AccountSession {
    switch serverProtocol {
    case .skein:
      let accounts = HTTPAccounts(server: server)
      return try await signIn(
        registering, register: { try await accounts.register(user, password: password) },
        signIn: { .skein(try await accounts.signIn(user, password: password, device: "skein")) })
    case .matrix:
      let accounts = MatrixAccounts(homeserver: server)
      return try await signIn(
        registering, register: { _ = try await accounts.register(user.rawValue, password: password) },
        signIn: { .matrix(try await accounts.signIn(user, password: password, device: "skein")) })
    }
  }

  private func signIn(
    _ registering: Bool, register: () async throws -> Void, signIn: () async throws -> AccountSession
  ) async throws -> AccountSession {
    var refusal: BackendError?
    if registering {
      do {
        try await register()
      } catch let error as BackendError where error.code == .userExists {
        refusal = error
      }
    }
    do {
      return try await signIn()
    } catch let error as BackendError {
      // The account already exists, and signing in has failed too. The error reports both.
      guard let refusal else { throw error }
      throw BackendError(error.code, "\(refusal.message) \(error.message)", cause: error)
    }
  }

  private func storedSession() -> AccountSession? {
    guard let data = try? Data(contentsOf: file) else { return nil }
    return try? JSONDecoder().decode(AccountSession.self, from: data)
  }

  private func store(_ session: AccountSession) throws {
    // Write to a new file, since a crash may interrupt the write. Make the file private before it contains
    // the token.
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
