#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What this account does to a message and the server has not confirmed: lists show it at once.
struct PendingActions: Codable, Equatable {
  struct Edit: Codable, Equatable {
    let kind: MessageKind
    let payload: Data
  }
  struct Change: Codable, Equatable {
    let key: ReactionKey
    let isSet: Bool
  }
  private(set) var edit: Edit?
  private(set) var isRecalled = false
  private(set) var reactions: [Change] = []
  private(set) var pin: Bool?

  /// Takes what waits in the outbox, in its order.
  init(_ revisions: [MessageRevision]) {
    for revision in revisions {
      switch revision {
      case .edit(let kind, let payload): edit = Edit(kind: kind, payload: payload)
      case .recall: isRecalled = true
      case .reaction(let key, let isSet): reactions.append(Change(key: key, isSet: isSet))
      case .pin(let isSet): pin = isSet
      }
    }
  }

  /// The reactions with this account's own.
  func applied(to known: [Reaction], by account: UserID) -> [Reaction] {
    reactions.reduce(known) { $0.setting($1.key, by: account, to: $1.isSet) }
  }

  /// As it is stored: JSON; nil where nothing waits.
  static func encode(_ revisions: [MessageRevision]) -> Data? {
    revisions.isEmpty ? nil : try? JSONEncoder().encode(PendingActions(revisions))
  }

  static func decode(_ stored: Data?) -> PendingActions? {
    stored.flatMap { try? JSONDecoder().decode(Self.self, from: $0) }
  }
}
