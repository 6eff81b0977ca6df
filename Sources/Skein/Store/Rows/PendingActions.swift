#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The unconfirmed actions of this account on a message; lists show the effect of these actions at once.
struct PendingActions: Codable, Equatable {
  struct Edit: Codable, Equatable {
    let kind: MessageKind
    let payload: Data
  }
  struct Change: Codable, Equatable {
    let key: ReactionKey
    let isSet: Bool
  }
  struct Flag: Codable, Equatable {
    let flag: MessageFlag
    let isSet: Bool
  }
  private(set) var edit: Edit?
  private(set) var isRecalled = false
  private(set) var reactions: [Change] = []
  private var flags: [Flag]?

  /// Combines the actions that wait in the outbox, in the order in which they were queued.
  init(_ revisions: [MessageAction]) {
    for revision in revisions {
      switch revision {
      case .edit(let kind, let payload): edit = Edit(kind: kind, payload: payload)
      case .recall: isRecalled = true
      case .reaction(let key, let isSet): reactions.append(Change(key: key, isSet: isSet))
      case .flag(let flag, let isSet): flags = (flags ?? []) + [Flag(flag: flag, isSet: isSet)]
      }
    }
  }

  /// The reactions after this account's pending changes.
  func applied(to known: [Reaction], by account: UserID) -> [Reaction] {
    reactions.reduce(known) { $0.setting($1.key, by: account, to: $1.isSet) }
  }

  /// The flags after this account's pending changes.
  func applied(to known: Set<MessageFlag>) -> Set<MessageFlag> {
    (flags ?? []).reduce(into: known) { known, change in
      if change.isSet { known.insert(change.flag) } else { known.remove(change.flag) }
    }
  }

  /// The stored form: JSON; nil if there are no actions.
  static func encode(_ revisions: [MessageAction]) -> Data? {
    revisions.isEmpty ? nil : try? StoredJSON.encode(PendingActions(revisions))
  }

  static func decode(_ stored: Data?) -> PendingActions? {
    stored.flatMap { try? JSONDecoder().decode(Self.self, from: $0) }
  }
}
