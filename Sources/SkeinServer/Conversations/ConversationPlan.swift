import SkeinWire

/// A validated request for a conversation, with the alias that makes opening it idempotent.
struct ConversationPlan: Sendable, Equatable {
  let kind: Wire.ConversationKind
  let title: String?
  /// The members, sorted and without duplicates. The requesting user is included.
  let members: [Wire.UserID]
  let alias: String

  /// Validates a user's request; throws a 400 if the request is invalid.
  init(_ request: Wire.ConversationRequest, by asker: Wire.UserID) throws {
    switch request {
    case .direct(let peer):
      try Refusal.require(peer != asker, "A direct conversation needs another user.")
      kind = .direct
      title = nil
      members = [asker, peer].sorted { $0.rawValue < $1.rawValue }
      // User ids contain no space, so different pairs have different aliases. The aliases of groups begin with
      // another word.
      alias = "direct " + members.map(\.rawValue).joined(separator: " ")
    case .group(let id, let title, let others):
      try Refusal.require((1...128).contains(id.unicodeScalars.count), "An id has 1 to 128 characters.")
      try Refusal.require((1...256).contains(title.unicodeScalars.count), "A title has 1 to 256 characters.")
      let members = Set(others).union([asker])
      try Refusal.require(members.count <= 1000, "A group has at most 1000 members.")
      kind = .group
      self.title = title
      self.members = members.sorted { $0.rawValue < $1.rawValue }
      alias = "group \(asker) \(id)"
    }
  }
}
