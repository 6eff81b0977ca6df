import Foundation
import Skein
import SkeinHTTP

/// The options of every client: the options for the account and for the account's folder.
enum AccountOptions {
  private static let server = Option(
    name: "server", value: "URL", help: "The server's address.", isRequired: true)
  private static let user = Option(
    name: "user", value: "NAME", help: "The user's name.", isRequired: true)
  private static let password = Option(
    name: "password", value: "PW",
    help: "The password. SKEIN_PASSWORD is safer: process lists do not show it.")
  private static let register = Option(
    name: "register", value: nil, help: "Register the account if it does not exist.")
  private static let matrix = Option(
    name: "matrix", value: nil, help: "The server is a Matrix homeserver.")
  private static let data = Option(
    name: "data", value: "DIR", help: "The folder of this device's messages, default ./skein-NAME.")

  static let all = [server, matrix, user, password, register, data]

  /// The account given by the options.
  ///
  /// - Throws: ``UsageError`` if the server or the user is missing, or if an option's value is invalid.
  static func account(_ arguments: Arguments, for command: String) throws -> Account {
    guard let server = try arguments.server(server), let user = arguments.text(user) else {
      throw UsageError("--server or --user is missing; see skein \(command) --help.")
    }
    let folder =
      try arguments.folder(data) ?? URL(filePath: "./skein-\(user)", directoryHint: .isDirectory)
    var account = Account(server: server, user: UserID(rawValue: user), folder: folder)
    if arguments.isSet(matrix) { account.serverProtocol = .matrix }
    return account
  }

  /// The account's stored session or a new session. The password for a new session comes from the options or
  /// from the environment.
  static func session(of account: Account, _ arguments: Arguments) async throws -> AccountSession {
    let password = arguments.text(password) ?? ProcessInfo.processInfo.environment["SKEIN_PASSWORD"]
    return try await account.session(password: password, registering: arguments.isSet(register))
  }
}
