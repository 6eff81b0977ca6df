#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The stored form of a message's reactions: JSON; nil if there are no reactions.
enum StoredReactions {
  static func encode(_ reactions: [Reaction]) -> Data? {
    reactions.isEmpty ? nil : try? StoredJSON.encode(reactions)
  }

  static func decode(_ stored: Data?) -> [Reaction] {
    stored.flatMap { try? JSONDecoder().decode([Reaction].self, from: $0) } ?? []
  }
}
