import SkeinStorage
import Testing

@testable import Skein

/// A group to which the account is invited, and syncs that report it.
enum InvitedGroup {
  static let info = ConversationInfo(ref: ConversationRef(rawValue: "r"), type: .group, title: "Holiday")
  static let invitation = ConversationInvitation(info: info, inviter: "alice")
  static let delta = ConversationDelta(info: info, count: 1, messages: [.number(1)])

  /// Applies a sync between two cursors; nil is the beginning.
  ///
  /// - Parameter version: the change counter when the sync was requested; nil if nobody requested it.
  static func apply(
    _ numbers: (from: Int?, next: Int), _ conversations: [ConversationDelta] = [],
    left: [ConversationRef] = [], _ invitations: [ConversationInvitation] = [], hasMore: Bool = false,
    requestedAt version: Int64? = nil, in store: ChatStore
  ) async throws {
    let batch = SyncBatch(
      from: numbers.from.map { SyncCursor(rawValue: "\($0)") }, next: SyncCursor(rawValue: "\(numbers.next)"),
      hasMore: hasMore, conversations: conversations, left: left, invitations: invitations)
    let isApplied = try await store.write(.kill) { try Intake($0).apply(batch, requestedAt: version) }
    #expect(isApplied)
  }

  static func row(in store: ChatStore) async throws -> ConversationRow {
    try #require(try await store.read { try $0.conversation(named: info.ref) })
  }
}
