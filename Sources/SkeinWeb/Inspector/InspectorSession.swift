import Skein
import SkeinCards

/// The session of one open inspector. Draws the whole inspector after a change, at most five times a second.
actor InspectorSession {
  /// The inspector draws the first chats in the list of conversations, at most this number.
  private static let mostChats = 20

  private let client: ChatClient
  private let log: InspectorLog
  private let page: AsyncStream<[PagePatch]>.Continuation
  nonisolated let patches: AsyncStream<[PagePatch]>
  private var following: [Task<Void, Never>] = []

  init(_ client: ChatClient, log: InspectorLog) {
    self.client = client
    self.log = log
    (patches, page) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func start() {
    let (doorbell, ring) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    ring.yield()
    following = [
      Task { [client] in for await _ in client.connectionStates { ring.yield() } },
      Task { [client] in for await _ in client.catchUpStates { ring.yield() } },
      Task { [client] in for await _ in client.sendStates { ring.yield() } },
      Task { [client] in for await _ in client.conversations.changes { ring.yield() } },
      Task { [log] in for await _ in log.changes { ring.yield() } },
      Task {
        for await _ in doorbell {
          await show()
          try? await Task.sleep(for: .milliseconds(200))
        }
      },
    ]
  }

  func end() {
    for task in following { task.cancel() }
    page.finish()
  }

  private func show() async {
    let conversations = Array(client.conversations.conversations.prefix(Self.mostChats))
    let (patches, now) = (InspectorPage.self, client.now)
    do {
      let inspection = try await client.inspection(of: conversations.map(\.id))
      page.yield([
        .fill(.client, patches.client(client, inspection)),
        .fill(.outbox, patches.operations(inspection, in: conversations, at: now)),
        .fill(.chats, patches.chats(inspection.chats, conversations)),
        .fill(.problems, patches.problems(log.problems)),
        .fill(.timings, patches.timings(log.timings)),
        .fill(.events, patches.events(log.events)),
      ])
    } catch {
      page.yield([
        .fill(.client, HTML(.dd) { HTML("The database can't be read: \(String(describing: error))") })
      ])
    }
  }
}
