import SkeinModel
import Synchronization

extension BackendCheck {
  /// Sending messages without waiting for each answer.
  static let pipelining: [BackendCheck] = [
    BackendCheck(
      .sending, "Several messages sent together are stored in their order, once each",
      needs: [.pipelining], sentTogether)
  ]

  private static func sentTogether(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let messages = try (0..<40).map { _ in try alice.text(in: chat) }
    let outcomes = try await alice.send(messages)
    for message in messages { _ = try outcomes[message.id]?.get() }
    try expect(outcomes.count, is: messages.count, "The number of reported outcomes")
    let again = try await alice.send(Array(messages.suffix(20)))
    for message in messages.suffix(20) {
      try expect(
        try again[message.id]?.get().serverID, is: try outcomes[message.id]?.get().serverID,
        "The server id of a message that is sent again")
    }
    let stored = try await bob.history(of: chat)
    try expect(stored.map(\.payload), is: messages.map(\.payload), "The stored contents, in order")
  }
}

extension Device {
  /// Sends messages together, and returns the reported outcomes.
  fileprivate func send(_ messages: [OutgoingMessage]) async throws
    -> [MessageID: Result<SendReceipt, any Error>]
  {
    stage.step = "\(user)'s send of several messages"
    let reported = Reported()
    try await backend.require(\.pipelining).send(messages) { id, outcome in reported.add(id, outcome) }
    return reported.outcomes
  }
}

private final class Reported: Sendable {
  private let state = Mutex<[MessageID: Result<SendReceipt, any Error>]>([:])

  var outcomes: [MessageID: Result<SendReceipt, any Error>] { state.withLock { $0 } }

  func add(_ id: MessageID, _ outcome: Result<SendReceipt, any Error>) {
    state.withLock { $0[id] = outcome }
  }
}
