#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The stored form of parameters: JSON with sorted keys; nil if there are no parameters.
enum StoredParameters {
  static func encode(_ parameters: [String: String]) -> Data? {
    // A dictionary of strings can always be encoded as JSON.
    parameters.isEmpty ? nil : try? StoredJSON.encode(parameters)
  }

  static func decode(_ stored: Data?) -> [String: String] {
    stored.flatMap { try? JSONDecoder().decode([String: String].self, from: $0) } ?? [:]
  }
}
