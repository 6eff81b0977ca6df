/// One sentence of the contract of ``ChatBackend``, and the test of this sentence.
///
/// ```swift
/// @Test("The backend keeps the contract", arguments: BackendCheck.all)
/// func contract(_ check: BackendCheck) async throws {
///   try await check.run(on: MyServer())
/// }
/// ```
///
/// 1. A check creates everything it needs, and depends on no other check.
/// 2. A check fails with one ``ConformanceFailure``, which states the expected and the actual result.
/// 3. A check always ends: it fails if the backend hangs.
public struct BackendCheck: Sendable {
  /// The part of the contract that a check belongs to.
  public enum Part: String, Sendable, Hashable, CaseIterable {
    /// Sending messages.
    case sending
    /// Syncs and the push channel.
    case receiving
    /// Pages of a conversation.
    case history
    /// Opening conversations.
    case conversations
    /// The account's contact list.
    case contacts
    /// Leaving groups.
    case leaving
    /// Invitations.
    case invitations
    /// Edits, recalls, reactions, pins and stars.
    case actions
    /// Replies.
    case replies
    /// Mentions.
    case mentions
    /// Delivery and read receipts.
    case receipts
    /// Typing.
    case typing
    /// Presence.
    case presence
    /// Read marks.
    case readMarks
    /// Settings of conversations.
    case settings
    /// Files.
    case media
    /// Ended sessions and unreachable servers.
    case session
    /// Servers that are restored from a backup.
    case backups
  }

  /// The sentence.
  public let name: String
  /// The part of the contract that the check belongs to.
  public let part: Part
  /// The requirements; the check is skipped unless all requirements are met.
  public let needs: [CheckNeed]
  let body: CheckBody

  init(_ part: Part, _ name: String, needs: [CheckNeed] = [], _ body: @escaping CheckBody) {
    self.name = name
    self.part = part
    self.needs = needs
    self.body = body
  }

  /// The whole contract, one check for each sentence.
  public static let all: [BackendCheck] =
    sending + receiving + history + conversations + contacts + leaving + invitations + actions + replies
    + mentions + receipts + typing + presence + readMarks + settings + media + session + backups
}

typealias CheckBody = @concurrent @Sendable (Stage) async throws -> Void

extension BackendCheck: Identifiable {
  /// The sentence.
  public var id: String { name }
}

extension BackendCheck: CustomStringConvertible {
  /// The sentence.
  public var description: String { name }
}
