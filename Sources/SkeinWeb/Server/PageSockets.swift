import Foundation
import Skein
import SkeinCards
import SkeinSockets

/// Runs a session for each page and each inspector that is connected.
struct PageSockets: Sendable {
  let client: ChatClient
  let cards: CardRegistry
  let files: ServedFiles
  let log: InspectorLog

  func servePage(_ socket: any WebSocketConnection) async {
    let session = WebSession(client, registry: cards, files: files, log: log)
    await session.start()
    await exchange(socket, sending: session.patches) { message in
      // A malformed request is ignored.
      guard let request = try? JSONDecoder().decode(PageRequest.self, from: Data(message.bytes)) else {
        return
      }
      await session.handle(request)
    }
    await session.end()
  }

  func serveInspector(_ socket: any WebSocketConnection) async {
    let session = InspectorSession(client, log: log)
    await session.start()
    await exchange(socket, sending: session.patches) { _ in }
    await session.end()
  }

  /// Sends the patches and receives messages, until the patches or the messages end or sending fails.
  private func exchange(
    _ socket: any WebSocketConnection, sending patches: AsyncStream<[PagePatch]>,
    receiving receive: @escaping @Sendable (WebSocketMessage) async -> Void
  ) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        let encoder = JSONEncoder()
        for await patches in patches {
          guard let frame = try? encoder.encode(patches) else { continue }
          do { try await socket.send(WebSocketMessage(text: String(decoding: frame, as: UTF8.self))) } catch {
            return
          }
        }
      }
      group.addTask {
        while let message = try? await socket.receive() { await receive(message) }
      }
      await group.next()
      group.cancelAll()
    }
  }
}
