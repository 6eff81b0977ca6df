import Foundation
import Skein
import SkeinCards
import SkeinServer
import SkeinTerminal
import SkeinWeb

/// `skein pages`: a server and the pages of two people, to try out.
enum PagesCommand {
  private static let faulty = Option(
    name: "faulty", value: nil, help: "Add plugins that throw, hang and flood the chat.")

  static let usage = Usage(
    name: "pages",
    summary: "Serves the pages of two people, with a chat that has every kind of message.",
    options: [faulty],
    notes: "It stops at Ctrl-C or SIGTERM, and removes the server and its data.",
    run: run)

  private static func run(_ arguments: Arguments) async throws -> Int32 {
    let temporary = try TemporaryFolder("skein-pages")
    defer { temporary.remove() }
    let folder = temporary.url
    let server = try await ChatServer.start(ServerOptions(folder: folder.appending(path: "server")))
    let isFaulty = arguments.isSet(faulty)
    var clients: [ChatClient] = []
    for name in ["alice", "bob", "carol"] {
      clients.append(try await client(of: name, on: server.port, in: folder, isFaulty: isFaulty))
    }
    let chat = PagesChat(folder: folder, alice: clients[0], bob: clients[1], carol: clients[2])
    try await isFaulty ? chat.playFaulty() : chat.play()
    var cards = CardRegistry.command
    if isFaulty { cards.registerFaulty() }
    var pages: [WebFrontEnd] = []
    for client in clients.prefix(2) {
      let name = client.account.rawValue
      pages.append(
        try await WebFrontEnd.start(client, cards: cards, uploads: folder.appending(path: "\(name)/uploads")))
      StandardOutput.write("\(name.padded(to: 5))  \(pages[pages.count - 1].address.absoluteString)\n")
    }
    if isFaulty {
      StandardOutput.write("Problems of the plugins: \(pages[0].address.absoluteString)inspector\n")
    }
    StandardOutput.write("Open both side by side; Ctrl-C ends it.\n")
    await TerminationSignals.wait()
    for page in pages { await page.stop() }
    for client in clients { await client.close() }
    await server.stop()
    return 0
  }

  private static func client(
    of name: String, on port: Int, in folder: URL, isFaulty: Bool
  ) async throws -> ChatClient {
    guard let address = URL(string: "http://127.0.0.1:\(port)") else { throw CocoaError(.featureUnsupported) }
    let own = folder.appending(path: name, directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
    var account = Account(server: address, user: UserID(rawValue: name), folder: own)
    if isFaulty { account.kinds.registerFaulty() }
    let client = try await account.open(account.session(password: UUID().uuidString, registering: true))
    client.start()
    return client
  }
}
