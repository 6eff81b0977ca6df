import Foundation
import Skein
import SkeinCards
import SkeinWeb

/// `skein web`: the engine with a page in front of it.
enum WebCommand {
  private static let server = Option(
    name: "server", value: "URL", help: "The server's address.", isRequired: true)
  private static let user = Option(
    name: "user", value: "NAME", help: "Whose chats these are.", isRequired: true)
  private static let password = Option(
    name: "password", value: "PW",
    help: "The password; better in SKEIN_PASSWORD, which no process list shows.")
  private static let register = Option(
    name: "register", value: nil, help: "Make the account first, if there is none.")
  private static let data = Option(
    name: "data", value: "DIR", help: "The folder of this device's messages, ./skein-NAME unless given.")
  private static let port = Option(
    name: "port", value: "N", help: "The port of the page; a free one unless given.")

  static let usage = Usage(
    name: "web", summary: "Chats on a page in the browser, for one account, on this machine.",
    options: [server, user, password, register, data, port],
    notes: """
      It writes the page's address, which holds a secret: only who has it can open the page.
      It stops, with everything on disk, at Ctrl-C or SIGTERM.
      """, run: run)

  private static func run(_ arguments: Arguments) async throws -> Int32 {
    guard let server = try arguments.server(server), let user = arguments.text(user) else {
      throw UsageError("--server and --user are missing; see skein web --help.")
    }
    let port = try arguments.number(port, in: 0...65535) ?? 0
    let folder =
      try arguments.folder(data) ?? URL(filePath: "./skein-\(user)", directoryHint: .isDirectory)
    let lock = try FolderLock.take(folder, isShared: true)
    let account = Account(server: server, user: UserID(rawValue: user), folder: folder)
    let password = arguments.text(password) ?? ProcessInfo.processInfo.environment["SKEIN_PASSWORD"]
    let client: ChatClient
    do {
      if port != 0 { try ListeningPort.check(port, on: "127.0.0.1") }
      let session = try await account.session(password: password, registering: arguments.isSet(register))
      client = try await account.open(session)
    } catch {
      lock.undo()
      throw error is UsageError || error is Failure ? error : Failure(ProblemText.of(error), error)
    }
    client.start()
    let page = try await WebFrontEnd.start(client, port: port, uploads: folder.appending(path: "uploads"))
    StandardOutput.write("\(user)'s page: \(page.address.absoluteString)\n")
    await TerminationSignals.wait()
    await page.stop()
    if case .signedOut = client.connectionState { account.forgetSession() }
    await client.close()
    return 0
  }
}
