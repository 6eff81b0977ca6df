import Foundation
import Skein
import SkeinCards
import SkeinWeb

/// `skein web`: a chat client in the browser.
enum WebCommand {
  private static let port = Option(
    name: "port", value: "N", help: "The port of the page, default a free one.")

  static let usage = Usage(
    name: "web", summary: "Serves a chat client for one account, to a browser on this machine.",
    options: AccountOptions.all + [port],
    notes: """
      It prints the page's address. The address contains a secret that is needed to open the page.
      It stops at Ctrl-C or SIGTERM, with everything on disk.
      """, run: run)

  private static func run(_ arguments: Arguments) async throws -> Int32 {
    let port = try arguments.number(port, in: 0...65535) ?? 0
    let account = try AccountOptions.account(arguments, for: "web")
    let lock = try FolderLock.acquire(account.folder, .shared)
    let client: ChatClient
    do {
      if port != 0 { try ListeningPort.check(port, on: "127.0.0.1") }
      let session = try await AccountOptions.session(of: account, arguments)
      client = try await account.open(session)
    } catch {
      lock.undo()
      throw error is UsageError || error is Failure ? error : Failure(ProblemText.of(error), error)
    }
    client.start()
    let page = try await WebFrontEnd.start(
      client, cards: .command, port: port, uploads: account.folder.appending(path: "uploads"))
    StandardOutput.write("\(account.user.rawValue)'s page: \(page.address.absoluteString)\n")
    await TerminationSignals.wait()
    await page.stop()
    if case .signedOut = client.connectionState { account.forgetSession() }
    await client.close()
    return 0
  }
}
