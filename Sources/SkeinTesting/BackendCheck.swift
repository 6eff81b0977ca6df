/// One sentence of what ``ChatBackend`` promises, and the test of it.
///
/// ```swift
/// @Test("The backend keeps the contract", arguments: BackendCheck.all)
/// func contract(_ check: BackendCheck) async throws {
///   try await check.run(on: MyServer())
/// }
/// ```
///
/// 1. A check makes what it needs, and depends on no other check.
/// 2. It fails with one ``ConformanceFailure``, which says what was expected and what came.
/// 3. It ends: a backend that hangs fails it.
public struct BackendCheck: Sendable {
  /// The part of the contract that a check belongs to.
  public enum Part: String, Sendable, Hashable, CaseIterable {
    /// What becomes of a message that is sent.
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
    /// What is done to messages that were sent.
    case revising
    /// Messages that reply to others.
    case replying
    /// Messages that call somebody.
    case mentioning
    /// How far the others in a conversation are.
    case receipts
    /// Who types.
    case typing
    /// Who is there.
    case presence
    /// How far an account has read.
    case readMarks
    /// Files.
    case media
    /// Sessions that end, and servers that go away.
    case session
  }

  /// The sentence.
  public let name: String
  /// Where it belongs.
  public let part: Part
  /// What it can't do without.
  public let needs: [CheckNeed]
  let body: CheckBody

  init(_ part: Part, _ name: String, needs: [CheckNeed] = [], _ body: @escaping CheckBody) {
    self.name = name
    self.part = part
    self.needs = needs
    self.body = body
  }

  /// The whole contract, one sentence after the other.
  public static let all: [BackendCheck] =
    sending + receiving + history + conversations + contacts + leaving + revising + replying
    + mentioning + receipts + typing + presence + readMarks + media + session
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
