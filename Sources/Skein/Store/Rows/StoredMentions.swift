#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Mentions {
  /// The stored form: JSON; nil if nobody is mentioned.
  var stored: Data? { self == .nobody ? nil : try? StoredJSON.encode(self) }

  init(stored: Data?) {
    self = stored.flatMap { try? JSONDecoder().decode(Self.self, from: $0) } ?? .nobody
  }
}
