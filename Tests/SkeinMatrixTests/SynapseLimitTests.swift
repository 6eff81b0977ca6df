import Foundation
import Skein
import SkeinModel
import Testing

/// A Synapse that limits how often a user may send.
@Suite("A rate limit of Synapse", .timeLimit(.minutes(3)))
struct SynapseLimitTests {
  @Test(
    "Messages beyond the rate limit arrive once and in order",
    arguments: SynapseClientTests.addresses)
  func limit(_ address: URL) async throws {
    // Even a busy machine sends more than one message in two seconds.
    try await SynapseProcess.run(settings: #"{"rc_message":{"per_second":0.5,"burst_count":4}}"#) { synapse in
      let server = try SynapseServer(synapse.address)
      let (alice, bob) = (try await server.makeUser(), try await server.makeUser())
      let device = try await MatrixDevice("alice", of: alice, on: synapse.address)
      let chat = try await device.client.open(.direct(bob))
      let texts = (1...15).map { "message \($0)" }
      var sent: [SentMessage] = []
      for text in texts { sent.append(try await device.client.send(TextContent(text), to: chat)) }
      var isLimited = false
      try await device.client.sendState { status in
        for message in sent {
          if case .waiting(_, let reason) = status.state(of: message.id), reason.code == .rateLimited {
            isLimited = true
          }
        }
        return status.count == 0
      }
      #expect(isLimited)
      let context = device.client.context(for: chat)
      let messages = try await context.messages { messages in
        messages.count == 15 && messages.allSatisfy { $0.status == .sent }
      }
      #expect(messages.map(\.content.displayedText) == texts)
      let room = try #require(try await device.client.conversation { $0.id == chat }.ref)
      let history = try await ServerHistory(of: room, by: device.session)
      #expect(history.entries.map(\.text) == texts)
      await device.close()
    }
  }
}
