import SkeinSimulation
import SkeinStorage
import Testing

@testable import Skein

@Suite("Alerts for invitations")
struct InvitationAlertTests {
  private static let info = ConversationInfo(
    ref: ConversationRef(rawValue: "r"), type: .group, title: "Holiday")
  private static let invitation = ConversationInvitation(info: info, inviter: "alice")

  private static func apply(
    _ numbers: (from: Int?, next: Int), left: [ConversationRef] = [], isWithheld: Bool = false,
    _ invitations: [ConversationInvitation], in store: ChatStore
  ) async throws {
    let batch = SyncBatch(
      from: numbers.from.map { SyncCursor(rawValue: "\($0)") }, next: SyncCursor(rawValue: "\(numbers.next)"),
      conversations: [], left: left, invitations: invitations)
    let isApplied = try await store.write(.kill, isWithheld: isWithheld) { try Intake($0).apply(batch) }
    #expect(isApplied)
  }

  /// Plays a story with its listener, and returns the parts of all alerts.
  private static func parts(
    of store: ChatStore, isInBackground: Bool = false, _ story: () async throws -> Void
  ) async throws -> [[Alert.Part]] {
    let phase = AppPhase()
    phase.isInBackground = isInBackground
    let alerts = Alerts(store: store, phase: phase, options: AlertOptions())
    let updates = alerts.updates
    try await story()
    alerts.close()
    await store.database.close()
    var parts: [[Alert.Part]] = []
    for await alert in updates { parts.append(alert.parts) }
    return parts
  }

  private static func id(in store: ChatStore) async throws -> ConversationID {
    try #require(try await store.read { try $0.conversation(named: info.ref) }).id
  }

  @Test("An invitation causes one alert, and another one after its end", .simulated(seeds: 1...1))
  func once() async throws {
    let store = try await OddServerTests.store(stage, ordering: .arrival)
    let parts = try await Self.parts(of: store) {
      try await Self.apply((nil, 1), [], in: store)
      try await Self.apply((1, 2), [Self.invitation], in: store)
      try await Self.apply((2, 3), [Self.invitation], in: store)
      try await Self.apply((3, 4), left: [Self.info.ref], [], in: store)
      try await Self.apply((4, 5), [Self.invitation], in: store)
    }
    #expect(parts.count == 2)
    for part in parts.flatMap(\.self) {
      #expect(part.name == "Holiday" && part.messages.isEmpty && !part.isMention)
      #expect(part.invitation == Conversation.Invitation(inviter: "alice", isAccepted: false))
    }
  }

  @Test(
    "An invitation of the first sync, or one that was answered here, causes no alert",
    .simulated(seeds: 1...1), arguments: [true, false])
  func none(accepts: Bool) async throws {
    let store = try await OddServerTests.store(stage, ordering: .arrival)
    let parts = try await Self.parts(of: store) {
      try await Self.apply((nil, 1), [Self.invitation], in: store)
      let id = try await Self.id(in: store)
      try await store.write(.kill) { work in
        if accepts { try Invitations(work).accept(id) } else { try Invitations(work).decline(id) }
      }
      try await Self.apply((1, 2), [Self.invitation], in: store)
    }
    #expect(parts.isEmpty)
  }

  @Test(
    "An invitation received during a start in the background causes an alert after it, unless it was answered",
    .simulated(seeds: 1...1), arguments: [true, false])
  func withheld(accepts: Bool) async throws {
    let store = try await OddServerTests.store(stage, ordering: .arrival)
    let parts = try await Self.parts(of: store, isInBackground: true) {
      try await Self.apply((nil, 1), isWithheld: true, [], in: store)
      try await Self.apply((1, 2), isWithheld: true, [Self.invitation], in: store)
      let id = try await Self.id(in: store)
      if accepts { try await store.write(.kill) { try Invitations($0).accept(id) } }
      store.feed.publish(.release)
    }
    #expect(parts.count == (accepts ? 0 : 1))
  }
}
